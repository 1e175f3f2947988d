//! A commented study to edit: every section, with a comment per key and optional keys commented out. Values come from the game's preset.

mod training;

use games::registry::{FAMILIES, Family};

use crate::evolution::presets::{self, Preset};

/// A commented study to edit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    /// Its name: that of its game (`2048`), with an ending if it trains a network (`2048-train`), or `other`.
    pub name: String,
    /// Its game, if it plays one.
    pub game: Option<&'static str>,
}

/// All templates: of every game, of games that networks can learn, and with a program as fitness.
#[must_use]
pub fn templates() -> Vec<Template> {
    let of_game = |family: &'static Family| Template {
        name: family.name.to_owned(),
        game: Some(family.name),
    };
    let training = |family: &'static Family| Template {
        name: format!("{}{}", family.name, training::ENDING),
        game: Some(family.name),
    };
    let trained = FAMILIES.iter().filter(|family| training::suits(family));
    let other = Template {
        name: OTHER.to_owned(),
        game: None,
    };
    let games = FAMILIES.iter().map(of_game);
    games.chain(trained.map(training)).chain([other]).collect()
}

/// The template with a program as fitness.
const OTHER: &str = "other";

/// The text of a template; `None` if there is none of this name.
#[must_use]
pub fn template(name: &str) -> Option<String> {
    if let Some(game) = name.strip_suffix(training::ENDING) {
        return training(name, game);
    }
    let game = name;
    if game == OTHER {
        let tail = tail(&["cma-es", "differential-evolution"]);
        return Some([&head(OTHER), PROGRAM, STOPS, PROGRAM_FINAL, &tail].concat());
    }
    let preset = &presets::of_game(game)?;
    let family = FAMILIES.iter().find(|family| family.name == game)?;
    let algorithms = match preset.player.starts_with("program") {
        true => ["cgp", "one-plus-lambda"],
        false => ["cma-es", "differential-evolution"],
    };
    let sections = [
        head(game),
        player_keys(preset),
        game_section(family, preset.rules),
        optimizer_section(preset),
        fitness_section(preset),
        ending_sections(preset),
        tail(&algorithms),
    ];
    Some(sections.concat())
}

fn training(name: &str, game: &str) -> Option<String> {
    let mut families = FAMILIES.iter();
    let family = families.find(|family| family.name == game && training::suits(family))?;
    let sections = [
        head(name),
        "# What the runs do: they train networks.\nkind = \"train\"\n".to_owned(),
        game_section(family, ""),
        training::sections(family),
        training::TAIL.to_owned(),
        NOTIFY.to_owned(),
    ];
    Some(sections.concat())
}

fn head(of: &str) -> String {
    format!(
        "\
#:schema study.schema.json
# 'gamete study schema > study.schema.json' lets editors complete and check this file.
# 'gamete study check FILE' reports errors and estimates the time; 'gamete run FILE' runs it.

# Lowercase letters, digits and hyphens; also the directory of its runs.
name = \"my-{of}\"
# Free text, for the report.
question = \"Which setting is better?\"
# Random seed: the same seed gives the same results.
seed = 1
# Runs per setting. Every run depends on chance: fewer than 5 say little, and more settings need more.
repeats = 5
"
    )
}

fn game_section(family: &Family, rules: &str) -> String {
    let given: games::Options = rules.parse().unwrap_or_default();
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

/// The keys at the top, before any section.
fn player_keys(preset: &Preset) -> String {
    format!(
        "
# The preset to start from; everything below may differ. 'gamete algorithms' lists presets.
preset = {}
# The player whose weights or program are evolved; 'gamete players {}' lists players.
player = {}
# How weights are encoded as genes: reals, 9bit1decimal, 1000Genes ...
chromosome = {}
# Real genes start between minus this and this.
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

/// Maximum number of games per candidate in a quick study.
const QUICK_GAMES: u32 = 5;
/// Maximum number of generations in a quick study.
const QUICK_GENERATIONS: u32 = 10;
/// Fresh games of a quick study, in a one-player and a two-player game.
const QUICK_MEASURE: [u32; 2] = [200, 40];

fn fitness_section(preset: &Preset) -> String {
    let opponents: Vec<String> = preset.opponents.iter().map(|one| quoted(one)).collect();
    let against = if opponents.is_empty() {
        String::new()
    } else {
        format!(
            "# Opponents of the candidates: players, player files relative to this one, or \"each-other\".\nagainst = [{}]\n",
            opponents.join(", ")
        )
    };
    format!(
        "
[fitness]
# Games per candidate. More games are more precise, and take longer.
games = {}
# Objective to maximise.
objective = {}
# Re-evaluation policy: keep, re-evaluate, fresh or racing.
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
            "# The opponent that measures the champion.\nagainst = {}\n",
            quoted(crate::evolution::request::MEASURE_AGAINST)
        )
    } else {
        String::new()
    };
    format!(
        "
[stop]
# Generations after the first. A real study needs more, e.g. {}.
generations = {}
{STOPS}
[final]
# Fresh games that measure the champion.
games = {}
# Number of finalists.
finalists = {}
{against}",
        preset.generations,
        preset.generations.min(QUICK_GENERATIONS),
        QUICK_MEASURE[usize::from(is_for_two)],
        preset.finalists,
    )
}

/// Other stop conditions; the first that holds ends the run.
const STOPS: &str = "\
# Stop after this many evaluations.
# evaluations = 5000
# Stop when a generation's best fitness reaches this.
# target = 1000
# Stop after this many generations without progress.
# no-progress = 20
# Stop after this time. Results then depend on the machine.
# time = \"10m\"
";

const PROGRAM: &str = "
[fitness]
# The program: it reads lines like {\"id\":17,\"genome\":[0.5,-1.25],\"seed\":123} and answers {\"id\":17,\"fitness\":3.25}.
# It is started in the directory of this file. 'gamete study check' tries it.
exec = \"python3 my-program.py\"
# Number of genes, all real numbers; or, instead, their names: names = [\"kp\", \"ki\", \"kd\"].
genes = 3
# Initial range of the genes; they may leave it later.
low = -1.0
high = 1.0
# The best fitness: highest or lowest.
goal = \"highest\"
# Requests per candidate, each with another seed. 1 is enough for a deterministic program.
games = 1
# Time limit per answer. A program that is late is killed and restarted.
time-limit = \"10s\"
# How often a request is repeated after a failure.
retries = 2
# Copies of the program running in parallel; by default one per thread.
# copies = 4
# Re-evaluation policy: keep, re-evaluate, fresh or racing.
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
# Requests with fresh seeds that measure the champion.
games = 50
# Number of finalists, compared with fresh seeds.
finalists = 5
";

/// What could be compared, and the short form of an evolution. `ALGORITHMS` stands for two that suit the genes.
const TAIL: &str = "
# What is compared: every combination of the values is a setting. Remove the '#' in front of these lines.
# [[vary]]
# optimizer.algorithm = [ALGORITHMS]
# fitness.games = [5, 20]

# Values for 'gamete run --short', which tries a study in seconds.
[short]
stop.generations = 2
";

/// Who to notify, in all templates.
const NOTIFY: &str = "
# Who to notify when the study has ended.
# [notify]
# command = \"echo \\\"$GAMETE_SUMMARY\\\" >> ended.txt\"
# webhook = \"https://example.org/hook\"
# email = { to = \"me@example.org\", from = \"me@example.org\", server = \"smtps://mail.example.org\" }
";

fn tail(algorithms: &[&str; 2]) -> String {
    let names = algorithms.map(quoted).join(", ");
    TAIL.replace("ALGORITHMS", &names) + NOTIFY
}

fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

/// Numbers and booleans are written without quotes.
fn toml_value(text: &str) -> String {
    let is_bare = text.parse::<i64>().is_ok() || matches!(text, "true" | "false");
    if is_bare {
        text.to_owned()
    } else {
        quoted(text)
    }
}
