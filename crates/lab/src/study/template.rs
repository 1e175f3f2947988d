//! A commented study to edit: every section, what its keys do, and what could be uncommented. Values come from the game's preset.

use games::registry::{FAMILIES, Family};

use crate::evolution::presets::{self, Preset};

/// What a template can be of: the games, and [`OTHER`].
#[must_use]
pub fn templates() -> Vec<&'static str> {
    let games = FAMILIES.iter().map(|family| family.name);
    games.chain([OTHER]).collect()
}

/// The template in which the fitness is a program.
const OTHER: &str = "other";

/// A commented study of a game, or of a program as fitness; none if there is no such game.
#[must_use]
pub fn template(game: &str) -> Option<String> {
    if game == OTHER {
        return Some([&head(OTHER), PROGRAM, STOPS, PROGRAM_FINAL, TAIL].concat());
    }
    let preset = &presets::of_game(game)?;
    let family = FAMILIES.iter().find(|family| family.name == game)?;
    let sections = [
        head(game),
        player_keys(preset),
        game_section(family, preset),
        optimizer_section(preset),
        fitness_section(preset),
        ending_sections(preset),
        TAIL.to_owned(),
    ];
    Some(sections.concat())
}

fn head(of: &str) -> String {
    format!(
        "\
#:schema study.schema.json
# 'gamete study schema > study.schema.json' lets editors complete and check this file.
# 'gamete study check FILE' says what is wrong, and how long it will take; 'gamete run FILE' runs it.

# Small letters, digits and hyphens: runs are kept under this name.
name = \"my-{of}\"
# For people, and for the report.
question = \"Which setting is better?\"
# From which all random numbers follow: the same seed gives the same numbers.
seed = 1
# Runs a setting. Chance has a hand in every run: fewer than 5 say little, and more settings need more.
repeats = 5
"
    )
}

fn game_section(family: &Family, preset: &Preset) -> String {
    let given: games::Options = preset.rules.parse().unwrap_or_default();
    let rules = family.options.iter().map(|option| {
        let rule = |value: &str| format!("{} = {}\n", option.name, toml_value(value));
        let line = match given.get(option.name) {
            Some(value) => rule(value),
            None => format!("# {}", rule(option.default)),
        };
        format!("# {}\n{line}", option.help)
    });
    format!(
        "\n[game]\nname = \"{}\"\n{}",
        family.name,
        rules.collect::<String>()
    )
}

/// What stands at the top, before any section.
fn player_keys(preset: &Preset) -> String {
    format!(
        "
# What to start from; everything below may differ. 'gamete algorithms' lists presets.
preset = {}
# The player whose weights or program are to be found; 'gamete players {}' lists players.
player = {}
# How weights are written as genes: reals, 9bit1decimal, 1000Genes ...
chromosome = {}
# Real genes begin between minus this and this.
initial = {:?}
",
        quoted(preset.name),
        preset.game,
        quoted(preset.player),
        quoted(preset.chromosome),
        preset.initial
    )
}

fn optimizer_section(preset: &Preset) -> String {
    let settings = preset
        .settings
        .iter()
        .map(|(key, value)| format!("{key} = {}\n", toml_value(value)));
    format!(
        "
[optimizer]
# 'gamete algorithms' lists algorithms, 'gamete algorithms {0}' the settings of this one.
algorithm = {1}
{2}",
        preset.algorithm,
        quoted(preset.algorithm),
        settings.collect::<String>()
    )
}

/// Games a candidate of a quick study plays, at most.
const QUICK_GAMES: u32 = 5;
/// Generations of a quick study, at most.
const QUICK_GENERATIONS: u32 = 10;
/// Fresh games of a quick study, in a game for one and for two.
const QUICK_MEASURE: [u32; 2] = [200, 40];

fn fitness_section(preset: &Preset) -> String {
    let opponents: Vec<String> = preset.opponents.iter().map(|one| quoted(one)).collect();
    let against = if opponents.is_empty() {
        String::new()
    } else {
        format!(
            "# Whom candidates play: players, player files beside this one, or \"each-other\".\nagainst = [{}]\n",
            opponents.join(", ")
        )
    };
    format!(
        "
[fitness]
# Games a candidate plays. More tell more, and take longer.
games = {}
# What is made as large as possible.
objective = {}
# What earlier scores count: keep, re-evaluate, fresh or racing.
noise = {}
# Whether all candidates of a generation play the same games, which compares them fairly.
common-games = {}
{against}",
        preset.games.min(QUICK_GAMES),
        quoted(preset.objective),
        quoted(&preset.noise.to_string()),
        preset.common,
    )
}

fn ending_sections(preset: &Preset) -> String {
    let is_for_two = !preset.opponents.is_empty();
    let against = if is_for_two {
        format!(
            "# Whom the champion is measured against.\nagainst = {}\n",
            quoted(crate::evolution::request::MEASURE_AGAINST)
        )
    } else {
        String::new()
    };
    format!(
        "
[stop]
# Generations after the first. A real study wants more, e.g. {}.
generations = {}
{STOPS}
[final]
# Fresh games by which the champion is measured: the number that counts.
games = {}
# The fittest so many play for the title.
finalists = {}
{against}",
        preset.generations,
        preset.generations.min(QUICK_GENERATIONS),
        QUICK_MEASURE[usize::from(is_for_two)],
        preset.finalists,
    )
}

/// Other ways to stop; whatever comes first.
const STOPS: &str = "\
# Stop when so many candidates have been scored.
# evaluations = 5000
# Stop when a generation's best fitness reaches this.
# target = 1000
# Stop when so many generations bring nothing better.
# no-progress = 20
# Stop after so much time. Results then depend on the machine.
# time = \"10m\"
";

const PROGRAM: &str = "
[fitness]
# The program: it reads lines like {\"id\":17,\"genome\":[0.5,-1.25],\"seed\":123} and answers {\"id\":17,\"fitness\":3.25}.
# It is started in the directory of this file. 'gamete study check' asks it.
exec = \"python3 my-program.py\"
# How many numbers a genome has; or, instead, their names: names = [\"kp\", \"ki\", \"kd\"].
genes = 3
# Where the numbers begin; they may leave the range later.
low = -1.0
high = 1.0
# Which fitness is wanted: highest or lowest.
goal = \"highest\"
# Questions a candidate, each with another seed. 1 is enough if the program leaves nothing to chance.
games = 1
# For one answer. A program that is late is killed and asked again.
time-limit = \"10s\"
# How often it is asked again.
retries = 2
# Programs side by side; without this one a thread.
# copies = 4
# What earlier scores count: keep, re-evaluate, fresh or racing.
# noise = \"keep\"

[optimizer]
# 'gamete algorithms' lists algorithms, 'gamete algorithms cma-es' the settings of this one.
algorithm = \"cma-es\"

[stop]
# Generations after the first.
generations = 30
";

const PROGRAM_FINAL: &str = "
[final]
# Questions with fresh seeds by which the champion is measured.
games = 50
# The fittest so many are compared once more.
finalists = 5
";

/// What is the same for all.
const TAIL: &str = "
# What is compared: every combination of the values is a setting. Remove the '#' in front of these lines.
# [[vary]]
# optimizer.algorithm = [\"cma-es\", \"differential-evolution\"]
# optimizer.population = [10, 30]

# Values for 'gamete run --short', which tries a study in seconds.
[short]
stop.generations = 2

# Who is told when the study has ended.
# [notify]
# command = \"echo \\\"$GAMETE_SUMMARY\\\" >> ended.txt\"
# webhook = \"https://example.org/hook\"
# email = { to = \"me@example.org\", from = \"me@example.org\", server = \"smtps://mail.example.org\" }
";

fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

/// Numbers and truths stand without quotes.
fn toml_value(text: &str) -> String {
    let is_bare = text.parse::<i64>().is_ok() || matches!(text, "true" | "false");
    if is_bare {
        text.to_owned()
    } else {
        quoted(text)
    }
}
