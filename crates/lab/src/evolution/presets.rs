//! Evolutions to start from: the works' and ours, each a game with rules, a player, an algorithm, and how it is scored.

use evolve::Noise;

/// An evolution to start from. Every part can be changed.
#[derive(Debug, Clone, Copy)]
pub struct Preset {
    /// Its name.
    pub name: &'static str,
    /// One line on what it is.
    pub about: &'static str,
    /// The game.
    pub game: &'static str,
    /// Its rules, as options.
    pub rules: &'static str,
    /// The player whose weights or program are found.
    pub player: &'static str,
    /// How weights are written as genes.
    pub chromosome: &'static str,
    /// Where real genes begin: from minus this to this.
    pub reach: f64,
    /// The algorithm, or the genetic algorithm of one of the works.
    pub algorithm: &'static str,
    /// Further settings of the algorithm.
    pub settings: &'static [(&'static str, &'static str)],
    /// Generations after the first.
    pub generations: u32,
    /// Games a candidate plays.
    pub games: u32,
    /// What is made as large as possible.
    pub objective: &'static str,
    /// What earlier scores count.
    pub noise: Noise,
    /// Whether all candidates of a generation play the same games.
    pub common: bool,
    /// Whom candidates of a game for two play; nobody here: each other.
    pub opponents: &'static [&'static str],
    /// How many play for the title at the end.
    pub finalists: usize,
}

/// As 2048-ga without look-ahead describes it.
const GA_2048: Preset = Preset {
    name: "2048-ga",
    about: "as the 2048-ga work describes it",
    game: "2048",
    rules: "",
    player: "eight(reading=as-described)",
    chromosome: "9bit1decimal",
    reach: 1.0,
    algorithm: "2048-ga",
    settings: &[],
    generations: 100,
    games: 20,
    objective: "score",
    noise: Noise::Keep,
    common: false,
    opponents: &[],
    finalists: 1,
};

/// All of them. The first of a game is what that game begins with.
pub static PRESETS: &[Preset] = &[
    Preset {
        name: "2048",
        about: "the eight weights of 2048-ga, real, by CMA-ES, honestly scored",
        game: "2048",
        rules: "",
        player: "eight",
        chromosome: "reals",
        reach: 10.0,
        algorithm: "cma-es",
        settings: &[("population", "24")],
        generations: 40,
        games: 20,
        objective: "score",
        noise: Noise::ReEvaluate,
        common: true,
        opponents: &[],
        finalists: 10,
    },
    GA_2048,
    Preset {
        name: "2048-ga-as-published",
        about: "the same as its published program did it: weights that do not matter",
        player: "eight(reading=as-published)",
        ..GA_2048
    },
    Preset {
        name: "cgp",
        about: "as the 2048-cgp work (its test 3)",
        game: "2048",
        rules: "rules=fer",
        player: "program(columns=100, rows=1, functions='+,-,*,/')",
        chromosome: "reals",
        reach: 1.0,
        algorithm: "cgp",
        settings: &[],
        generations: 1000,
        games: 3,
        objective: "score",
        noise: Noise::Keep,
        common: false,
        opponents: &[],
        finalists: 1,
    },
    Preset {
        name: "tetris",
        about: "nine features by CMA-ES on a 10x10 board, one known piece, honestly scored",
        game: "tetris",
        rules: "board=10x10 known=1",
        player: "weighted(features=dt10)",
        chromosome: "reals",
        reach: 1.0,
        algorithm: "cma-es",
        settings: &[("population", "30")],
        generations: 50,
        games: 8,
        objective: "lines",
        noise: Noise::ReEvaluate,
        common: true,
        opponents: &[],
        finalists: 10,
    },
    Preset {
        name: "tetris-ga",
        about: "as the tetris-ga work describes it, with games of at most 1000 pieces",
        game: "tetris",
        rules: "known=2 limit=1000",
        player: "weighted(features=five, look=2)",
        chromosome: "reals",
        reach: 1.0,
        algorithm: "tetris-ga",
        settings: &[],
        generations: 20,
        games: 3,
        objective: "score",
        noise: Noise::Keep,
        common: false,
        opponents: &[],
        finalists: 1,
    },
    Preset {
        name: "connect",
        about: "weights of Connect Four by CMA-ES, in games against Monte-Carlo search",
        game: "connect",
        rules: "",
        player: "weighted",
        chromosome: "reals",
        reach: 1.0,
        algorithm: "cma-es",
        settings: &[("population", "24")],
        generations: 60,
        games: 15,
        objective: "score",
        noise: Noise::ReEvaluate,
        common: true,
        opponents: &["mcts(iterations=100)"],
        finalists: 10,
    },
    Preset {
        name: "connect-ga",
        about: "as the connect-n work describes it: fitness 1, selection 1",
        game: "connect",
        rules: "",
        player: "weighted",
        chromosome: "reals",
        reach: 1.0,
        algorithm: "connect-ga",
        settings: &[],
        generations: 37,
        games: 49,
        objective: "not-lost",
        noise: Noise::Fresh,
        common: true,
        opponents: &[],
        finalists: 1,
    },
];

/// The preset of this name.
#[must_use]
pub fn named(name: &str) -> Option<&'static Preset> {
    PRESETS.iter().find(|preset| preset.name == name)
}

/// What a game begins with.
#[must_use]
pub fn of_game(game: &str) -> Option<&'static Preset> {
    PRESETS.iter().find(|preset| preset.game == game)
}
