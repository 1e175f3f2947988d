//! Nothing is rented before a person agrees.

use super::gamete_in;
use crate::cloud::Account;

fn check(answer: &str, shown: &str, launches: usize) {
    let account = Account::new();
    let study = account.study("weights", "");
    let words = format!("cloud up {study} --store s3://bucket/runs");
    let variables = account.variables();
    let variables: Vec<(&str, &str)> = variables.iter().map(|(a, b)| (*a, b.as_str())).collect();
    let mut pty = gamete_in(&words, (200, 50), &variables);
    pty.wait_for("Rent these machines? [y/N]");
    assert_eq!(account.calls_of("jobs launch").len(), 0);
    pty.press(&format!("{answer}\r"));
    pty.wait_for(shown);
    assert_eq!(account.calls_of("jobs launch").len(), launches);
}

#[test]
fn machines_are_rented_after_a_yes_only() {
    check("n", "nothing was rented", 0);
    check("", "nothing was rented", 0);
    check("y", "weights is launched", 2);
}
