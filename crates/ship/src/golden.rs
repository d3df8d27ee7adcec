//! Comparing what an encoder wrote with the file of what it should write.

/// Compares with `tests/golden/NAME.txt`; `UPDATE_GOLDEN=1` writes the file instead.
pub(crate) fn check(name: &str, text: &str) {
    let file = format!("{}/tests/golden/{name}.txt", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&file, text).unwrap();
    }
    let golden = std::fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(text, golden, "{name}");
}

/// Bytes as a dump, so that a difference can be read.
pub(crate) fn dump(bytes: &[u8]) -> String {
    let lines = bytes.chunks(16).map(|chunk| {
        let hex: Vec<String> = chunk.iter().map(|b| format!("{b:02x}")).collect();
        let shown = |b: &u8| match b.is_ascii_graphic() {
            true => char::from(*b),
            false => '.',
        };
        let text: String = chunk.iter().map(shown).collect();
        format!("{:<47}  {text}\n", hex.join(" "))
    });
    lines.collect()
}
