//! Every command shown in the README and the manual does what they show.

#[test]
fn commands_of_readme_and_manual_work() {
    trycmd::TestCases::new()
        .case("../../README.md")
        .case("../../docs/manual/*.md")
        .register_bin("gamete", std::path::Path::new(env!("CARGO_BIN_EXE_gamete")));
}
