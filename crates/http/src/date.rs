//! HTTP dates, read and written.
//!
//! Owns the two calendar conversions. Invariant: days are proleptic Gregorian, times are UTC seconds since 1970.

const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];

/// Reads `Mon, 02 Jan 2006 15:04:05 GMT`, also with dashes, with a year of two digits, or as C's `asctime` writes it.
/// Returns seconds since 1970.
pub fn parse_http_date(text: &str) -> Option<i64> {
    let text = text.split_once(',').map_or(text, |(_, rest)| rest);
    let parts: Vec<&str> = text
        .split([' ', '-'])
        .filter(|part| !part.is_empty())
        .collect();
    let (day, month, year, time) = match parts.as_slice() {
        [day, month, year, time, ..] if day.bytes().all(|byte| byte.is_ascii_digit()) => {
            (day, month, year, time)
        }
        [_, month, day, time, year] => (day, month, year, time),
        _ => return None,
    };
    let month = MONTHS
        .iter()
        .position(|name| name.eq_ignore_ascii_case(month))?;
    let day: i64 = day.parse().ok()?;
    let year: i64 = match year.parse::<i64>().ok()? {
        short @ 0..70 if year.len() == 2 => short + 2000,
        short @ 70..100 if year.len() == 2 => short + 1900,
        year => year,
    };
    let mut clock = time.split(':').map(|part| part.parse::<i64>().ok());
    let (hour, minute, second) = (clock.next()??, clock.next()??, clock.next()??);
    let fine = (1..=31).contains(&day)
        && (1..=9999).contains(&year)
        && (0..24).contains(&hour)
        && (0..60).contains(&minute)
        && (0..=60).contains(&second);
    fine.then(|| {
        days_from_civil(year, month as i64 + 1, day) * 86_400 + hour * 3_600 + minute * 60 + second
    })
}

/// Days since 1970-01-01.
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    // Years that start in March put the leap day at the end.
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_usual_forms() {
        let check = |text, expected| assert_eq!(parse_http_date(text), expected, "{text}");
        check("Mon, 02 Jan 2006 15:04:05 GMT", Some(1_136_214_245));
        check("Mon, 02-Jan-2006 15:04:05 GMT", Some(1_136_214_245));
        check("Monday, 02-Jan-06 15:04:05 GMT", Some(1_136_214_245));
        check("Mon Jan  2 15:04:05 2006", Some(1_136_214_245));
        check("Thu, 01 Jan 1970 00:00:00 GMT", Some(0));
        check("Tue, 29 Feb 2000 00:00:00 GMT", Some(951_782_400));
        check("Fri, 31 Dec 9999 23:59:59 GMT", Some(253_402_300_799));
        check("Mon, 01 Jan 0001 00:00:00 GMT", Some(-62_135_596_800));
        check("yesterday", None);
        check("Mon, 02 Foo 2006 15:04:05 GMT", None);
        check("Mon, 02 Jan 2006 25:04:05 GMT", None);
        check("", None);
    }
}
