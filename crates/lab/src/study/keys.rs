//! All keys of studies. Each kind of study lists the ones it uses.

use std::time::Duration;

use super::document::Table;
use super::key::Key;
use super::kind::NAMES;
use games::connect::MAX_CELLS;
use play::measure::MOST_GAMES;

/// The most games behind one mean in a deviation study.
const MOST_GAMES_OF_A_MEAN: u64 = 1_000_000;

/// `name`.
pub const NAME: Key<String> = Key::text(
    "name",
    "The study's name: lowercase letters, digits and hyphens; also the directory of its runs",
);

/// `question`.
pub const QUESTION: Key<String> = Key::text(
    "question",
    "The question the study should answer, as free text",
);

/// `kind`.
pub const KIND: Key<String> = Key::one_of("kind", NAMES, "What a run does");

/// `seed`.
pub const SEED: Key<u64> = Key::whole("seed", 0, i64::MAX as u64, "Random seed").or_whole(1);

/// `repeats`.
pub const REPEATS: Key<u32> = Key::whole(
    "repeats",
    1,
    10_000,
    "Runs per setting, each with its own random numbers",
)
.or_whole(1);

/// `same-start`.
pub const SAME_START: Key<bool> = Key::truth("same-start", "Whether the same repeat of all settings has the same random numbers, hence the same first population where they have one").or_truth(true);

/// `vary`.
pub const VARY: Key<Vec<Table>> = Key::tables(
    "vary",
    "What is compared: keys with lists of values (all combinations), or 'settings', a list of tables",
);

/// `compare.metric`.
pub const COMPARE_METRIC: Key<String> = Key::text(
    "compare.metric",
    "The metric by which settings are compared",
)
.or_else("what is optimised, in fresh games");

/// `compare.better`.
pub const COMPARE_BETTER: Key<String> = Key::one_of(
    "compare.better",
    &["higher", "lower"],
    "Whether higher or lower is better",
);

/// `compare.with`.
pub const COMPARE_WITH: Key<String> = Key::text(
    "compare.with",
    "The label of the setting that all others are compared with, instead of with one another",
);

/// `charts`.
pub const CHARTS: Key<Vec<String>> =
    Key::texts("charts", "Charts of the report").or_else("all that fit");

/// `reference.source`.
pub const REFERENCE_SOURCE: Key<String> = Key::text(
    "reference.source",
    "The work whose figures are shown next to ours",
);

/// `reference.conclusion`.
pub const REFERENCE_CONCLUSION: Key<String> =
    Key::text("reference.conclusion", "What the work concluded");

/// `reference.figures`.
pub const REFERENCE_FIGURES: Key<Vec<Table>> = Key::tables(
    "reference.figures",
    "Figures of the work: { setting = \"...\", metric = \"score\", value = 1.0 }",
);

/// `short`.
pub const SHORT: Key<Table> = Key::open(
    "short",
    "Keys with other values for 'gamete run --short', which tries a study in seconds",
);

/// `notify.command`.
pub const NOTIFY_COMMAND: Key<String> = Key::text(
    "notify.command",
    "A command to run when the study has ended, with GAMETE_STUDY, GAMETE_STATE, GAMETE_SUMMARY and GAMETE_REPORT",
);

/// `notify.webhook`.
pub const NOTIFY_WEBHOOK: Key<String> = Key::text(
    "notify.webhook",
    "A URL to POST a JSON object to when the study has ended",
);

/// `notify.email.to`.
pub const NOTIFY_EMAIL_TO: Key<String> = Key::text(
    "notify.email.to",
    "Recipient of an email when the study has ended",
);

/// `notify.email.from`.
pub const NOTIFY_EMAIL_FROM: Key<String> = Key::text("notify.email.from", "Sender of the email");

/// `notify.email.server`.
pub const NOTIFY_EMAIL_SERVER: Key<String> = Key::text(
    "notify.email.server",
    "The mail server, e.g. smtp+starttls://me@mail.example.org",
);

/// `notify.email.password-env`.
pub const NOTIFY_EMAIL_PASSWORD_ENV: Key<String> = Key::text(
    "notify.email.password-env",
    "The environment variable that holds the password",
);

/// `fitness.against`.
pub const FITNESS_AGAINST: Key<Vec<String>> = Key::texts(
    "fitness.against",
    "In a two-player game: opponents of the candidates, or each-other",
);

/// `fitness.openings`.
pub const FITNESS_OPENINGS: Key<String> = Key::text(
    "fitness.openings",
    "In a two-player game without chance: where games of candidates begin, as balanced, none or random(plies=N)",
)
.or_else("balanced if candidate and an opponent draw no random numbers, else none; none in the preset connect-ga, as in the work");

/// `deviation.individuals`.
pub const DEVIATION_INDIVIDUALS: Key<u32> =
    Key::whole("deviation.individuals", 2, 1_000_000, "Random individuals").or_whole(100);

/// `deviation.truth`.
pub const DEVIATION_TRUTH: Key<u32> = Key::whole(
    "deviation.truth",
    2,
    MOST_GAMES_OF_A_MEAN,
    "Games whose mean is taken as the true fitness",
)
.or_whole(2000);

/// `deviation.games`.
pub const DEVIATION_GAMES: Key<Vec<u64>> = Key::wholes(
    "deviation.games",
    1,
    MOST_GAMES_OF_A_MEAN,
    "Numbers of games per fitness to compare",
)
.or_else("1000, 500, 100, 50, 20, 10, 5, 1");

/// `deviation.relative-to`.
pub const DEVIATION_RELATIVE_TO: Key<String> = Key::one_of(
    "deviation.relative-to",
    &["truth", "mean-of-both"],
    "What a deviation is a percentage of: the true fitness, or the mean of it and the fitness, as in Annex II of 2048-ga",
);

/// `player`.
pub const PLAYER: Key<String> = Key::text(
    "player",
    "The player, or its file; in an evolution the player whose weights or program are evolved",
);

/// `speed.seconds`.
pub const SPEED_SECONDS: Key<f64> = Key::real("speed.seconds", "How long to play").or_real(5.0);

/// `speed.board`.
pub const SPEED_BOARD: Key<String> = Key::one_of(
    "speed.board",
    &["fast", "plain"],
    "The board: bitboard or plain array; not every player supports the plain one",
);

/// `speed.random`.
pub const SPEED_RANDOM: Key<String> = Key::one_of(
    "speed.random",
    &["xoshiro", "r250-521", "subtractive", "chacha20"],
    "The random numbers of chance; only measurements of speed have a choice",
);

/// `check.boards`.
pub const CHECK_BOARDS: Key<Vec<String>> = Key::texts(
    "check.boards",
    "Boards of Connect-N: rows x columns, e.g. \"3x4\"",
);

/// `check.connect`.
pub const CHECK_CONNECT: Key<Vec<u64>> = Key::wholes(
    "check.connect",
    2,
    MAX_CELLS as u64,
    "Pieces in a line that win; left out where a board's shorter side is less",
)
.or_else("2, 3, 4");

/// `check.pieces`.
pub const CHECK_PIECES: Key<Vec<String>> = Key::texts(
    "check.pieces",
    "Pieces of each player: shares of the cells, numbers, or \"every\" for all from 2 to half of the cells",
)
.or_else("1/2, 1/3, 1/4");

/// `cost.players`.
pub const COST_PLAYERS: Key<Vec<String>> = Key::texts(
    "cost.players",
    "Players to time in the same positions; the first is the baseline",
);

/// `cost.games`.
pub const COST_GAMES: Key<u64> = Key::whole(
    "cost.games",
    1,
    10_000,
    "Random games per case; all players are timed in all their positions",
)
.or_whole(2);

/// `cost.repeats`.
pub const COST_REPEATS: Key<u32> = Key::whole(
    "cost.repeats",
    1,
    1000,
    "How often a move is timed; the shortest time counts",
)
.or_whole(5);

/// `cost.per`.
pub const COST_PER: Key<String> = Key::one_of(
    "cost.per",
    &["columns^empty", "rows*columns^2"],
    "What the time should grow with: columns^empty (a whole tree), or rows*columns^2 (one pass per move)",
);

/// `cost.weights`.
pub const COST_WEIGHTS: Key<String> = Key::one_of(
    "cost.weights",
    &["own", "drawn"],
    "Weights of players that have some: their own, or drawn anew for every position, from -1 to 1",
);

/// `against`.
pub const AGAINST: Key<String> =
    Key::text("against", "In a two-player game: the other player").or_else("the same one");

/// `measure.games`.
pub const MEASURE_GAMES: Key<u64> =
    Key::whole("measure.games", 2, MOST_GAMES, "Number of games").or_whole(1000);

/// `measure.both-seats`.
pub const MEASURE_BOTH_SEATS: Key<bool> = Key::truth(
    "measure.both-seats",
    "In a two-player game: whether the players swap seats after every game",
)
.or_truth(false);

/// `measure.openings`.
pub const MEASURE_OPENINGS: Key<String> = Key::text(
    "measure.openings",
    "In a two-player game without chance: where games begin, as balanced, none or random(plies=N)",
)
.or_else("balanced against another player, else none");

/// `measure.move-time`.
pub const MEASURE_MOVE_TIME: Key<Duration> = Key::time(
    "measure.move-time",
    "Time limit per move; results then depend on the machine",
);

/// `measure.move-times`.
pub const MEASURE_MOVE_TIMES: Key<bool> = Key::truth(
    "measure.move-times",
    "Whether to record the time of every move, for the chart of time by move",
)
.or_truth(false);

/// `preset`.
pub const PRESET: Key<String> = Key::text(
    "preset",
    "The preset to start from; 'gamete algorithms' lists presets",
);

/// `chromosome`.
pub const CHROMOSOME: Key<String> = Key::text(
    "chromosome",
    "How weights are encoded as genes: reals, 9bit1decimal, 1000Genes ...",
);

/// `initial`.
pub const INITIAL: Key<f64> = Key::real("initial", "Real genes start between minus this and this");

/// `without`.
pub const WITHOUT: Key<Vec<String>> = Key::texts(
    "without",
    "Weights that are left out (they are 0), by name or number, to see which ones matter",
);

/// `start`.
pub const START: Key<Vec<String>> = Key::texts(
    "start",
    "Files with individuals of the first generation: players, a table of 'gamete export', or population.txt of 2048-cgp; the rest is drawn",
);

/// `fitness.objective`.
pub const FITNESS_OBJECTIVE: Key<String> = Key::text(
    "fitness.objective",
    "Objective to maximise: score, log-score (the logarithm, in a one-player game), moves, or another count of the game; kept: the share of known positions of Connect-N whose worth is kept; likely: in those, the logarithm of how likely a move is that keeps it",
);

/// `check.games`.
pub const CHECK_GAMES: Key<u64> = Key::whole(
    "check.games",
    1,
    10_000_000,
    "Games per case and starting order, at most; connect-n has 3^(rows x columns)",
)
.or_whole(100);

/// `check.against`.
pub const CHECK_AGAINST: Key<String> = Key::text(
    "check.against",
    "The opponent of the player; every-reply follows all games that can come up, which is a proof",
)
.or_else("random");

/// `check.positions`.
pub const CHECK_POSITIONS: Key<u64> = Key::whole(
    "check.positions",
    1,
    100_000_000,
    "Against every-reply: positions per case and starting order, at most; a case with more is sampled by games against random",
)
.or_whole(2_000_000);

/// `positions.count`.
pub const POSITIONS_COUNT: Key<u64> = Key::whole(
    "positions.count",
    1,
    1_000_000,
    "Positions that the player is asked about",
)
.or_whole(2000);

/// `positions.first-ply`.
pub const POSITIONS_FIRST_PLY: Key<u32> = Key::whole(
    "positions.first-ply",
    0,
    126,
    "The fewest random moves before a position; each move fewer takes longer to solve",
)
.or_whole(8);

/// `positions.last-ply`.
pub const POSITIONS_LAST_PLY: Key<u32> = Key::whole(
    "positions.last-ply",
    0,
    126,
    "The most random moves before a position",
)
.or_whole(30);

/// `optimizer`.
pub const OPTIMIZER: Key<Table> = Key::open(
    "optimizer",
    "The algorithm and its settings; 'gamete algorithms NAME' lists them",
);

/// `optimizer.algorithm`.
pub const OPTIMIZER_ALGORITHM: Key<String> = Key::text(
    "optimizer.algorithm",
    "The algorithm, or the genetic algorithm of one of the works",
);

/// `fitness.games`.
pub const FITNESS_GAMES: Key<u32> = Key::whole(
    "fitness.games",
    1,
    1_000_000,
    "Games per candidate (connect: opponents it meets; with exec: requests, by default 1)",
);

/// `fitness.growth`.
pub const FITNESS_GROWTH: Key<f64> = Key::real(
    "fitness.growth",
    "Games that every generation adds to those of a candidate: with games = 100 and growth = 2 it has 300 in generation 100",
);

/// `fitness.noise`.
pub const FITNESS_NOISE: Key<String> = Key::text(
    "fitness.noise",
    "Re-evaluation policy: keep, re-evaluate, fresh, racing",
);

/// `fitness.common-games`.
pub const FITNESS_COMMON_GAMES: Key<bool> = Key::truth(
    "fitness.common-games",
    "Whether all candidates of a generation play the same games",
);

/// `fitness.exec`.
pub const FITNESS_EXEC: Key<String> = Key::text(
    "fitness.exec",
    "Instead of a game: a command whose program scores genomes, e.g. \"python3 pid.py\", started in the study's directory",
);

/// `fitness.genes`.
pub const FITNESS_GENES: Key<usize> = Key::whole(
    "fitness.genes",
    1,
    100_000,
    "With exec: number of genes, all real numbers",
);

/// `fitness.names`.
pub const FITNESS_NAMES: Key<Vec<String>> = Key::texts(
    "fitness.names",
    "With exec, instead of genes: the names of the genes",
);

/// `fitness.low`.
pub const FITNESS_LOW: Key<f64> =
    Key::real("fitness.low", "With exec: lowest initial value of a gene").or_real(-1.0);

/// `fitness.high`.
pub const FITNESS_HIGH: Key<f64> =
    Key::real("fitness.high", "With exec: highest initial value of a gene").or_real(1.0);

/// `fitness.goal`.
pub const FITNESS_GOAL: Key<String> = Key::one_of(
    "fitness.goal",
    &["highest", "lowest"],
    "With exec: whether to maximise or minimise",
);

/// `fitness.time-limit`.
pub const FITNESS_TIME_LIMIT: Key<Duration> =
    Key::time("fitness.time-limit", "With exec: time limit per answer").or_time("10s");

/// `fitness.retries`.
pub const FITNESS_RETRIES: Key<u32> = Key::whole(
    "fitness.retries",
    0,
    1000,
    "With exec: how often a request is repeated after a crash or a timeout",
)
.or_whole(2);

/// `fitness.copies`.
pub const FITNESS_COPIES: Key<usize> = Key::whole(
    "fitness.copies",
    1,
    1024,
    "With exec: copies of the program running in parallel, shared by all runs",
)
.or_else("one per thread");

/// `stop.generations`.
pub const STOP_GENERATIONS: Key<u32> = Key::whole(
    "stop.generations",
    0,
    10_000_000,
    "Generations after the first",
);

/// `stop.evaluations`.
pub const STOP_EVALUATIONS: Key<u64> = Key::whole(
    "stop.evaluations",
    1,
    u64::MAX >> 1,
    "Stop after this many evaluations",
);

/// `stop.time`.
pub const STOP_TIME: Key<Duration> = Key::time(
    "stop.time",
    "Stop after this time; results then depend on the machine",
);

/// `stop.target`.
pub const STOP_TARGET: Key<f64> = Key::real(
    "stop.target",
    "Stop when a generation's best fitness reaches this",
);

/// `stop.no-progress`.
pub const STOP_NO_PROGRESS: Key<u32> = Key::whole(
    "stop.no-progress",
    1,
    10_000_000,
    "Stop after this many generations without progress",
);

/// `final.games`.
pub const FINAL_GAMES: Key<u64> = Key::whole(
    "final.games",
    1,
    MOST_GAMES,
    "Fresh games that measure the champion, at least 2; evaluations of a program, of which one may do",
);

/// `final.finalists`.
pub const FINAL_FINALISTS: Key<usize> = Key::whole(
    "final.finalists",
    1,
    1000,
    "Number of finalists; with 1 the fittest ever seen is the champion",
);

/// `final.baselines`.
pub const FINAL_BASELINES: Key<Vec<String>> = Key::texts(
    "final.baselines",
    "Players that are neither evolved nor trained, to compare champions with: measured once for the study, in games like theirs; by default random and greedy",
);

/// `final.against`.
pub const FINAL_AGAINST: Key<String> = Key::text(
    "final.against",
    "In a two-player game: the opponent that measures the champion",
);

/// `final.openings`.
pub const FINAL_OPENINGS: Key<String> = Key::text(
    "final.openings",
    "In a two-player game without chance: where the games that measure the champion begin, as balanced, none or random(plies=N)",
)
.or_else("balanced");

/// `game`.
pub const GAME: Key<Table> = Key::open(
    "game",
    "The game and its rules; 'gamete games NAME' lists the rules",
);

/// `game.name`.
pub const GAME_NAME: Key<String> = Key::text("game.name", "The game; 'gamete games' lists them");

/// `train.network`.
pub const TRAIN_NETWORK: Key<String> = Key::text(
    "train.network",
    "The cells that the tables of the network look at: a named set, or lists of cells like \"0,1,2,3 4,5,6,7\"",
)
.or_else("small");

/// `train.method`.
pub const TRAIN_METHOD: Key<String> = Key::text(
    "train.method",
    "How errors change weights: tc (temporal coherence) or td (temporal differences), with rate and lambda",
)
.or_else("tc");

/// `train.games`.
pub const TRAIN_GAMES: Key<u64> = Key::whole(
    "train.games",
    1,
    u32::MAX as u64,
    "Games that the network learns from",
);

/// `train.initial`.
pub const TRAIN_INITIAL: Key<f64> = Key::real(
    "train.initial",
    "What the network expects of a position that it has never met; a high value makes it try such positions",
)
.or_real(0.0);

/// `train.stages`.
pub const TRAIN_STAGES: Key<Vec<u64>> = Key::wholes(
    "train.stages",
    8,
    32768,
    "Tiles from which on the network has other tables, ascending",
)
.or_else("one stage");

/// `train.restart`.
pub const TRAIN_RESTART: Key<String> = Key::one_of(
    "train.restart",
    &learn::Restart::NAMES,
    "Where games begin: at the start, or in turn there and where later stages began",
);

/// `train.side-by-side`.
pub const TRAIN_SIDE_BY_SIDE: Key<usize> = Key::whole(
    "train.side-by-side",
    1,
    64,
    "Games played in turn, a move each, so that threads can share a run; part of what the numbers depend on",
)
.or_whole(8);

/// `train.every`.
pub const TRAIN_EVERY: Key<u64> = Key::whole(
    "train.every",
    1,
    1_000_000,
    "Games per point of the learning curve",
)
.or_whole(500);

/// `final.plies`.
pub const FINAL_PLIES: Key<Vec<u64>> = Key::wholes(
    "final.plies",
    2,
    4,
    "Moves of look-ahead with which the network is measured, besides without any",
)
.or_else("none");

/// `final.ply-games`.
pub const FINAL_PLY_GAMES: Key<u64> = Key::whole(
    "final.ply-games",
    2,
    MOST_GAMES,
    "Fresh games of each of these measurements",
)
.or_whole(100);

/// `train.from`.
pub const TRAIN_FROM: Key<String> = Key::text(
    "train.from",
    "Learn from these games instead of playing: replays (a file, one per line, a directory), or a CSV table with a column of steps",
);
