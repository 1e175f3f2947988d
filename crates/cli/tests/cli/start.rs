//! Evolutions that start from individuals in files, and evolutions without some of the weights.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use tempfile::TempDir;

use crate::gamete::{check_refused, gamete};

/// The first population that 2048-cgp prints: 8 columns of one row, six functions.
const PRINTED: &str = "\
8 1
0
4 6 14 5 15 16 4 0 8 4 15 15 2 8 3 4 7 10 1 17 3 3 13 3 13 23 4 10 
4 14 5 3 15 6 5 1 7 4 7 12 2 0 15 1 19 3 1 16 9 0 14 3 20 22 1 11 
4 14 7 3 1 4 5 13 11 1 15 1 2 6 2 4 12 9 1 1 13 5 12 3 7 23 20 20 
2 15 8 1 2 7 2 17 9 1 4 15 3 8 1 5 6 18 2 19 10 3 14 19 0 5 10 21 
";
const OF_PRINTED: [&str; 4] = [
    "--preset",
    "cgp",
    "--player",
    "program(columns=8, rows=1, functions='+,-,*,/,min,max')",
];

struct Desk {
    folder: TempDir,
}

impl Desk {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a directory");
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        self.path(name).to_str().expect("text").to_owned()
    }

    fn write(&self, name: &str, contents: &str) -> String {
        fs::write(self.path(name), contents).expect("a file");
        self.text(name)
    }

    fn arguments<'a>(&self, name: &'a str, more: &[&'a str]) -> Vec<String> {
        let base = [
            "evolve",
            "2048",
            "--name",
            name,
            "--games",
            "1",
            "--final-games",
            "4",
            "--quiet",
        ];
        let all = base.iter().chain(more).map(|&text| text.to_owned());
        all.chain(["--runs-dir".to_owned(), self.text("runs")])
            .collect()
    }

    fn evolve(&self, name: &str, more: &[&str]) {
        let arguments = self.arguments(name, more);
        let output = gamete(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{more:?}: {errors}");
    }

    fn refused(&self, more: &[&str], expected: &str) {
        let arguments = self.arguments("refused", more);
        check_refused(
            &arguments.iter().map(String::as_str).collect::<Vec<_>>(),
            expected,
        );
        assert!(!self.path("runs/refused").exists());
    }

    fn export(&self, run: &str, format: &str) -> String {
        let runs = self.text("runs");
        let output = gamete(&["export", run, "--format", format, "--runs-dir", &runs]);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{errors}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    fn champion(&self, name: &str) -> Value {
        let file =
            fs::read(self.path(&format!("runs/{name}/r1/champion.json"))).expect("a champion");
        serde_json::from_slice(&file).expect("JSON")
    }
}

/// The values of all individuals of a generation, in a table of 'gamete export'.
fn individuals(table: &str, generation: &str) -> Vec<Vec<String>> {
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let head = reader.headers().expect("a head");
    let genes = head
        .iter()
        .position(|name| ["p1", "program"].contains(&name));
    let genes = genes.expect("columns of genes");
    let rows = reader.records().map(|row| row.expect("a row"));
    let rows = rows.filter(|row| &row[3] == generation);
    rows.map(|row| row.iter().skip(genes).map(str::to_owned).collect())
        .collect()
}

#[test]
fn an_evolution_starts_where_another_one_ended() {
    let desk = Desk::new();
    let small = [
        "--preset",
        "2048-ga",
        "--population",
        "6",
        "--generations",
        "2",
    ];
    for (name, more) in [
        ("bits", &[][..]),
        ("symbols", &["--chromosome", "100Genes"]),
        (
            "reals",
            &["--chromosome", "reals", "--set", "mutation=gaussian"],
        ),
    ] {
        let all = [&small, more].concat();
        desk.evolve(name, &all);
        let table = desk.export(name, "csv");
        let file = desk.write(&format!("{name}.csv"), &table);
        let next = format!("{name}-next");
        desk.evolve(
            &next,
            &[&all[..], &["--start", &file, "--seed", "7"]].concat(),
        );
        let begun = individuals(&desk.export(&next, "csv"), "0");
        assert_eq!(begun, individuals(&table, "2"), "{name}");
    }
}

#[test]
fn programs_of_2048_cgp_are_read_and_written() {
    let desk = Desk::new();
    let file = desk.write("population.txt", PRINTED);
    let start = [&OF_PRINTED[..], &["--population", "4", "--start", &file]].concat();
    desk.evolve("begun", &[&start[..], &["--generations", "0"]].concat());
    assert_eq!(desk.export("begun/r1", "cgp-txt"), PRINTED);
    desk.evolve("longer", &[&start[..], &["--generations", "3"]].concat());
    let later = desk.export("longer", "cgp-txt");
    assert!(
        later.starts_with("8 1\n3\n") && later.lines().count() == 6,
        "{later}"
    );
    let scores = desk.export("longer", "cgp-scores");
    let mut heads = scores.lines().filter(|line| line.starts_with("generation"));
    assert_eq!(
        heads.next_back(),
        Some("generation 3, columns 8, rows 1, functions +,-,*,/,min,max, population 4")
    );
    assert_eq!(scores.lines().filter(|line| line.is_empty()).count(), 4);
    // A file that has changed is another beginning.
    desk.write("population.txt", &later);
    let arguments = desk.arguments("longer", &start);
    check_refused(
        &arguments.iter().map(String::as_str).collect::<Vec<_>>(),
        "the contents of",
    );
}

#[test]
fn the_rest_of_a_first_generation_is_drawn() {
    let desk = Desk::new();
    let small = [
        "--preset",
        "2048-ga",
        "--population",
        "6",
        "--generations",
        "0",
    ];
    desk.evolve("drawn", &small);
    let champion = desk.text("runs/drawn/r1/champion.json");
    desk.evolve("begun", &[&small[..], &["--start", &champion]].concat());
    let (drawn, begun) = (desk.export("drawn", "csv"), desk.export("begun", "csv"));
    let (drawn, begun) = (individuals(&drawn, "0"), individuals(&begun, "0"));
    assert_eq!(drawn[..5], begun[..5]);
    let weights = desk.champion("drawn")["weights"].clone();
    let weights: Vec<f64> = serde_json::from_value(weights).expect("numbers");
    let last: Vec<f64> = begun[5]
        .iter()
        .map(|text| text.parse().expect("a number"))
        .collect();
    assert_eq!(last, weights);
}

#[test]
fn what_cannot_be_started_from_is_told() {
    let desk = Desk::new();
    let printed = desk.write("population.txt", PRINTED);
    let start = |file: &str| ["--start".to_owned(), file.to_owned()];
    let refused = |more: &[&str], file: &str, expected: &str| {
        let start = start(file);
        let start: Vec<&str> = start.iter().map(String::as_str).collect();
        desk.refused(&[more, &start].concat(), expected);
    };
    refused(
        &OF_PRINTED,
        &desk.text("nowhere.txt"),
        "--start: cannot read",
    );
    refused(
        &[
            &OF_PRINTED[..],
            &["--set", "population=4", "--start", &printed],
        ]
        .concat(),
        &printed,
        "8 individuals, but the first generation has 4",
    );
    refused(
        &["--preset", "cgp"],
        &printed,
        "8 columns and 1 rows instead of 100 and 1",
    );
    refused(
        &["--preset", "2048-ga"],
        &printed,
        "has programs, but eight has weights",
    );
    let bad = desk.write("bad.txt", &PRINTED.replace("13 23 4 10", "13 24 4 10"));
    refused(&OF_PRINTED, &bad, "line 3: ");
    refused(
        &OF_PRINTED,
        &desk.write("prose.txt", "some words\n"),
        "is no player file",
    );
    let head =
        "run_id,setting,repeat,generation,place,id,born,origin,parents,mutated,games,fitness";
    let weights = "p1,p2,p3,p4,p5,p6,p7,p8";
    let row = |run: &str, first: &str| {
        format!("{run},,1,0,0,0,0,random,,false,1,5,{first},0,0,0,0,0,0,0")
    };
    let table = |rows: &[String]| format!("{head},{weights}\n{}\n", rows.join("\n"));
    let two = desk.write("two.csv", &table(&[row("a/r1", "1"), row("a/r2", "1")]));
    refused(
        &["--preset", "2048-ga"],
        &two,
        "several runs (a/r1, a/r2 ...)",
    );
    let fine = desk.write("fine.csv", &table(&[row("a/r1", "0.25")]));
    refused(&["--preset", "2048-ga"], &fine, "line 2: [0.25, 0.0");
    let short = desk.write("short.csv", &format!("{head}\n"));
    refused(&["--preset", "2048-ga"], &short, "has no column 'p1'");
}

#[test]
fn weights_can_be_left_out() {
    let desk = Desk::new();
    let small = [
        "--population",
        "6",
        "--generations",
        "1",
        "--without",
        "P3",
        "--without",
        "8",
    ];
    for (name, more) in [
        ("reals", &["--preset", "2048"][..]),
        ("bits", &["--preset", "2048-ga"]),
        (
            "symbols",
            &["--preset", "2048-ga", "--chromosome", "100Genes"],
        ),
    ] {
        desk.evolve(name, &[&small[..], more].concat());
        for weights in individuals(&desk.export(name, "csv"), "1") {
            assert_eq!((weights.len(), &*weights[2], &*weights[7]), (8, "0", "0"));
        }
        let champion = desk.champion(name);
        assert_eq!(champion["weights"][2], 0.0);
        assert_eq!(champion["weight_names"][2], "P3");
        assert_ne!(champion["weights"][0], 0.0);
    }
    desk.refused(
        &["--preset", "2048-ga", "--without", "P9"],
        "--without: no weight is called 'P9' (did you mean 'P1'?); there are P1, P2, P3, P4, P5, P6, P7, P8, or their numbers from 1",
    );
    desk.refused(
        &["--preset", "2048-lines", "--without", "P3"],
        "or their numbers from 1; it is a weight of the presets 2048, 2048-ga, 2048-ga-as-published",
    );
    desk.refused(
        &["--preset", "cgp", "--without", "1"],
        "--without: program has no weights",
    );
    let all = ["1", "2", "3", "4", "5", "6", "7", "8"];
    let all = all.iter().flat_map(|number| ["--without", number]);
    let all: Vec<&str> = ["--preset", "2048-ga"].into_iter().chain(all).collect();
    desk.refused(&all, "--without: no weight would be left");
}
