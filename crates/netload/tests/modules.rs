//! Archives, standard input and remote modules, from the command line to the exit code.

mod harness;

use std::io::Write;
use std::process::Stdio;

use harness::{Folder, Ran};
use netload_target::{Target, TargetConfig};

/// What is printed by the script, without the log's decoration.
fn printed(ran: &Ran) -> Vec<String> {
    let lines = ran
        .stderr
        .lines()
        .filter(|line| line.contains("source=console"));
    let message = |line: &str| {
        let (_, rest) = line.split_once("msg=").unwrap_or(("", line));
        let text = rest.split(" source=console").next().unwrap_or_default();
        text.trim_matches('"').to_owned()
    };
    lines.map(message).collect()
}

#[test]
fn a_packed_test_runs_elsewhere() {
    let here = Folder::new();
    here.write(
        "test.ts",
        "import { rows } from './lib.ts'; export const options: object = { vus: 1, iterations: 5 };
        export default (): void => console.log(rows, __ENV.A, __ENV.B);",
    );
    here.write(
        "lib.ts",
        "export const rows: number = open('./rows.csv').length;",
    );
    here.write("rows.csv", "1,2");
    let packed = here.run(&[
        "archive", "-i", "2", "-e", "A=a", "-e", "B=b", "-O", "t.tar", "test.ts",
    ]);
    assert_eq!((packed.code, packed.stderr.as_str()), (0, ""), "{packed:?}");
    let elsewhere = Folder::new();
    std::fs::copy(here.path().join("t.tar"), elsewhere.path().join("t.tar")).unwrap();
    drop(here);
    let ran = elsewhere.run(&["run", "-e", "B=c", "t.tar"]);
    assert_eq!(
        (ran.code, printed(&ran)),
        (0, vec!["3 a c".to_owned(); 2]),
        "{ran:?}"
    );
    let fewer = elsewhere.run(&["run", "--iterations", "1", "t.tar"]);
    assert_eq!(printed(&fewer), ["3 a b"]);
    let inspected = elsewhere.run(&["inspect", "t.tar"]);
    assert!(
        inspected.stdout.contains("\"iterations\": 2"),
        "{inspected:?}"
    );
}

#[test]
fn a_bad_archive_is_refused() {
    let folder = Folder::with_script("export default () => {};");
    folder.write("bad.tar", "nothing of the kind");
    for arguments in [
        &["run", "bad.tar"][..],
        &["run", "--type", "archive", "script.js"],
    ] {
        let ran = folder.run(arguments);
        assert_eq!(ran.code, 255);
        assert!(
            ran.stderr.contains("is not an archive of a test: "),
            "{ran:?}"
        );
    }
}

#[test]
fn standard_input_is_javascript_or_typescript() {
    let folder = Folder::new();
    for (text, expected) in [
        ("export default () => console.log('js');", "js"),
        (
            "enum A { B = 3 } export default (): void => console.log(A.B);",
            "3",
        ),
    ] {
        let mut command = folder.command(&["run", "-"]);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child
            .stdin
            .take()
            .unwrap()
            .write_all(text.as_bytes())
            .unwrap();
        let ran: Ran = child.wait_with_output().unwrap().into();
        assert_eq!(
            (ran.code, printed(&ran)),
            (0, vec![expected.to_owned()]),
            "{ran:?}"
        );
    }
}

#[test]
fn remote_modules_are_fetched_once_and_checked() {
    let server = Target::start(TargetConfig::with_tls()).unwrap();
    let authority = server.authority().unwrap().certificate_pem.clone();
    let address = format!("https://{}/anything/x.json", server.tls_addr().unwrap());
    let script = |import: &str| {
        format!("import {{ method }} from '{import}'; export default () => console.log(method);")
    };
    let folder = Folder::with_script(&script(&address));
    folder.write("authority.pem", &authority);
    folder.write("wrong.js", &script(&format!("{address}#sha256-AAAA")));
    let run = |arguments: &[&str]| -> Ran {
        let mut command = folder.command(arguments);
        let trusted = folder.path().join("authority.pem");
        command
            .env("SSL_CERT_FILE", trusted)
            .output()
            .unwrap()
            .into()
    };
    let refused = run(&["run", "--no-remote-modules", "script.js"]);
    assert_eq!(refused.code, 107);
    assert!(
        refused.stderr.contains("remote modules are refused"),
        "{refused:?}"
    );
    let wrong = run(&["run", "wrong.js"]);
    assert_eq!(wrong.code, 107);
    assert!(
        wrong.stderr.contains("its integrity is sha256-"),
        "{wrong:?}"
    );
    let ran = run(&["run", "script.js"]);
    assert_eq!(
        (ran.code, printed(&ran)),
        (0, vec!["GET".to_owned()]),
        "{ran:?}"
    );
    drop(server);
    let again = run(&["run", "script.js"]);
    assert_eq!(
        (again.code, printed(&again)),
        (0, vec!["GET".to_owned()]),
        "{again:?}"
    );
    let elsewhere = run(&["run", "--module-cache", "other", "script.js"]);
    assert!(
        elsewhere.stderr.contains("connection refused"),
        "{elsewhere:?}"
    );
}
