//! Rules and positions as texts from outside.

use std::fmt::Debug;

use fixtures::fuzz::fuzz;
use games::registry::FAMILIES;
use games::{Options, registry};

#[test]
fn any_text_is_rules_or_refused() {
    let valid = [
        "size=4x4 win=2048 four=0.1",
        "rules=fer stop-at-win",
        "board=10x20 known=2 limit=100 shapes=pentominoes",
        "rows=6 cols=7 connect=4 pieces=21",
    ];
    fuzz("rules", &valid, |bytes| {
        let text = String::from_utf8_lossy(bytes);
        let Ok(options) = text.parse::<Options>() else {
            return;
        };
        for family in FAMILIES {
            let _ = registry::build(family.name, &options);
        }
    });
}

#[test]
fn any_value_of_a_rule_is_taken_or_refused() {
    let valid = [
        "4x4",
        "16x40",
        "0.5",
        "2048",
        "true",
        "fer",
        "tetrominoes",
        "x.x,.x.",
        "1,2,3,4,5,6,7",
        "bag",
        "cascade",
    ];
    fuzz("values of rules", &valid, |bytes| {
        let value = String::from_utf8_lossy(bytes).into_owned();
        for family in FAMILIES {
            for option in family.options {
                let mut options = Options::default();
                options.set(option.name, value.clone());
                let _: Result<_, _> = family.build(&options).map(|game| shown(&game.options()));
            }
        }
    });
}

fn shown(value: &impl Debug) -> String {
    format!("{value:?}")
}
