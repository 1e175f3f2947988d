//! Tests of programs: grids, genotypes, what they compute, and how they evolve.

use std::str::FromStr;

use evolve::algorithm::OnePlusLambdaConfig;
use evolve::cgp::benchmarks::{Koza, Parity};
use evolve::cgp::{
    Active, Arithmetic, FirstOutputs, Formula, Function, FunctionSet, Gene, Grid, Logic, Names,
    Program, Shape, Value, dot, formulas,
};
use evolve::cross::AnyCrossover;
use evolve::mutate::AnyMutation;
use evolve::operator::{AnyOperator, Chosen};
use evolve::{Config, Genome, Noise, Optimizer, Scores, Space};
use streams::{Stream, below, stream, uniform};

use crate::problems::evaluations_to;

/// The genotype of figure 4.5 of 2048-cgp.
const FIGURE: &str = "0 0 1  1 0 0  1 3 1  2 0 1  0 4 4  2 5 4  2 5 7 3";

fn grid(sizes: [u32; 5], functions: &str) -> Grid {
    let [inputs, outputs, rows, columns, levels_back] = sizes;
    let shape = Shape {
        inputs,
        outputs,
        rows,
        columns,
        levels_back: Some(levels_back),
        functions: functions.parse().expect("known functions"),
        first_outputs: FirstOutputs::Any,
        passes: None,
    };
    Grid::new(shape).expect("a valid shape")
}

/// The same grid with connections that may lead anywhere.
fn cyclic(grid: Grid, passes: u32) -> Grid {
    let shape = Shape {
        passes: Some(passes),
        ..grid.into()
    };
    Grid::new(shape).expect("a valid shape")
}

/// The grid of figures 4.4 and 4.5 of 2048-cgp, with its table of functions.
fn figure() -> Grid {
    grid([2, 4, 2, 3, 3], "+,-,*,/")
}

/// Some functions of a list, at least one.
fn some<F: Function>(rng: &mut Stream) -> String {
    let count = 1 + below(rng, F::ALL.len() as u32) as usize;
    let places = streams::distinct(rng, F::ALL.len(), count);
    let names: Vec<&str> = places
        .iter()
        .map(|&place| F::ALL[place].kind().name)
        .collect();
    names.join(",")
}

/// Small grids of every shape.
fn random_grid<F: Function>(rng: &mut Stream) -> Grid {
    let functions = some::<F>(rng);
    let mut up_to = |most| 1 + below(rng, most);
    let (rows, columns) = (up_to(5), up_to(30));
    grid(
        [up_to(5), up_to(5), rows, columns, up_to(columns)],
        &functions,
    )
}

/// Random programs on random grids.
fn programs<F: Function>(seed: u64, count: u64) -> impl Iterator<Item = (Grid, Genome, Stream)> {
    (0..count).map(move |number| {
        let mut rng = stream(seed, &[number]);
        let grid = random_grid::<F>(&mut rng);
        let genome = Space::Program(grid.clone()).random(&mut rng);
        (grid, genome, rng)
    })
}

fn addresses(grid: &Grid, genome: &Genome) -> Vec<u32> {
    let active = Active::of(grid, genome);
    active.nodes().map(|node| grid.inputs() + node).collect()
}

fn lines(formulas: &[Formula]) -> Vec<String> {
    formulas.iter().map(ToString::to_string).collect()
}

#[test]
fn the_published_genotype_decodes_to_its_figure() {
    let grid = figure();
    let genome = grid.parse(FIGURE).unwrap();
    assert_eq!(grid.print(&genome), FIGURE);
    // "The gene in the third column and first row is not used": node 6.
    assert_eq!(addresses(&grid, &genome), [2, 3, 4, 5, 7]);
    let program = Program::<f64>::new(&grid, &genome);
    assert_eq!(program.steps(), 5);
    assert_eq!(program.evaluate(&[3.0, 5.0]), [8.0, 15.0, -75.0, 0.0]);
    assert_eq!(
        lines(&formulas(&grid, &genome, &Names::numbered(&grid))),
        [
            "n3 = x0 - x0",
            "n5 = x0 * x1",
            "y0 = x0 + x1",
            "y1 = n5",
            "y2 = n5 * (n3 - x1)",
            "y3 = n3",
        ]
    );
}

#[test]
fn the_published_population_can_be_read() {
    let grid = grid([16, 4, 1, 8, 8], "+,-,*,/,min,max");
    for text in [
        "4 6 14 5 15 16 4 0 8 4 15 15 2 8 3 4 7 10 1 17 3 3 13 3 13 23 4 10",
        "4 14 5 3 15 6 5 1 7 4 7 12 2 0 15 1 19 3 1 16 9 0 14 3 20 22 1 11",
        "4 14 7 3 1 4 5 13 11 1 15 1 2 6 2 4 12 9 1 1 13 5 12 3 7 23 20 20",
        "2 15 8 1 2 7 2 17 9 1 4 15 3 8 1 5 6 18 2 19 10 3 14 19 0 5 10 21",
    ] {
        let genome = grid.parse(text).unwrap();
        assert_eq!(grid.print(&genome).replace("  ", " "), text);
    }
}

#[test]
fn a_graph_shows_what_is_active() {
    let grid = grid([2, 1, 1, 3, 3], "+,sqrt");
    let genome = grid.parse("0 0 0  1 2 1  0 3 2  3").unwrap();
    let names = Names {
        inputs: vec!["a \"b\"".to_owned(), "unused".to_owned()],
        outputs: vec!["left".to_owned()],
    };
    assert_eq!(
        dot(&grid, &genome, &names),
        r#"digraph program {
  rankdir=LR;
  a0 [label="a \"b\"", shape=box];
  a2 [label="+"];
  a0 -> a2 [label=1];
  a0 -> a2 [label=2];
  a3 [label="sqrt"];
  a2 -> a3;
  o0 [label="left", shape=box, style=bold];
  a3 -> o0;
}
"#
    );
}

#[test]
fn formulas_do_not_explode() {
    // Every node doubles the one before it: as one formula it would have 2^1000 terms.
    let grid = grid([1, 1, 1, 1000, 1000], "+,neg");
    let doubling: String = (0..1000).map(|node| format!("0 {node} {node}  ")).collect();
    let doubling = grid.parse(&format!("{doubling}1000")).unwrap();
    let formulas_of = |genome| formulas(&grid, genome, &Names::numbered(&grid));
    assert_eq!(formulas_of(&doubling).len(), 1000);
    assert_eq!(formulas_of(&doubling)[999].to_string(), "y0 = n999 + n999");
    // A chain that is used only once is cut where it grows long.
    let chain: String = (0..1000).map(|node| format!("1 {node} 0  ")).collect();
    let chain = grid.parse(&format!("{chain}1000")).unwrap();
    let text = lines(&formulas_of(&chain));
    assert_eq!(
        text[0],
        format!("n12 = {}x0{}", "neg(".repeat(12), ")".repeat(12))
    );
    assert!(
        text.len() > 50 && text.iter().all(|line| line.len() < 80),
        "{text:#?}"
    );
}

#[test]
fn function_sets_are_parsed_and_printed() {
    let check = |text: &str, expected: &str| {
        let found = match FunctionSet::from_str(text) {
            Ok(set) => set.to_string(),
            Err(problem) => problem.to_string(),
        };
        assert_eq!(found, expected);
    };
    let known = "expected + - * / min max avg gt gate neg abs sqrt for numbers, and or nand nor xor for bits";
    check(" + , -,*,/", "+,-,*,/");
    check("nor,and", "nor,and");
    check(
        "+,mim",
        &format!("unknown function 'mim' (did you mean 'min'?); {known}"),
    );
    check(
        "",
        &format!("unknown function '' (did you mean '+'?); {known}"),
    );
    check("+,-,+", "duplicate function '+'");
    check(
        "and,min",
        "'min' is a function of numbers and 'and' one of bits; a set cannot mix them",
    );
}

#[test]
fn first_outputs_may_be_confined_to_the_last_column() {
    let mut shape = Shape::from(grid([16, 4, 3, 5, 5], "+,-,*,/"));
    let outputs = |shape: &Shape| {
        let grid = Grid::new(shape.clone()).expect("a valid shape");
        let space = Space::Program(grid.clone());
        let genomes = (0..200).map(|number| space.random(&mut stream(1, &[number])));
        let outputs = genomes.flat_map(|genome| grid.output_addresses(&genome).to_vec());
        outputs.collect::<std::collections::BTreeSet<u32>>()
    };
    // 16 inputs and 15 nodes; the last three are the last column. Error rate of "all are drawn": 31 (1 - 1/31)^800, below 1e-9.
    assert_eq!(outputs(&shape), (0..31).collect());
    let text = serde_json::to_string(&shape).expect("JSON");
    assert!(!text.contains("first-outputs"), "{text}");
    shape.first_outputs = FirstOutputs::LastColumn;
    assert_eq!(outputs(&shape), (28..31).collect());
    let text = serde_json::to_string(&shape).expect("JSON");
    let again: Shape = serde_json::from_str(&text).expect("a shape");
    assert_eq!(again, shape);
}

#[test]
fn shapes_are_checked() {
    let check = |inputs, outputs, rows, columns, levels_back, expected: &str| {
        let shape = Shape {
            inputs,
            outputs,
            rows,
            columns,
            levels_back,
            functions: "+".parse().unwrap(),
            first_outputs: FirstOutputs::Any,
            passes: None,
        };
        assert_eq!(Grid::new(shape).unwrap_err().to_string(), expected);
    };
    check(0, 1, 1, 1, None, "inputs = 0: must be from 1 to 65536");
    check(1, 0, 1, 1, None, "outputs = 0: must be from 1 to 65536");
    check(1, 1, 0, 1, None, "rows = 0: must be from 1 to 65536");
    check(
        1,
        1,
        1,
        70_000,
        None,
        "columns = 70000: must be from 1 to 65536",
    );
    check(
        1,
        1,
        300,
        300,
        None,
        "rows x columns = 90000: must be from 1 to 65536",
    );
    check(1, 1, 1, 5, Some(6), "levels-back = 6: must be from 1 to 5");
    check(1, 1, 1, 5, Some(0), "levels-back = 0: must be from 1 to 5");
}

/// The outputs of a cyclic program, straight from the definition: all nodes, active or not.
fn outputs_by_definition(grid: &Grid, genome: &Genome, inputs: &[f64]) -> Vec<f64> {
    let mut values = inputs.to_vec();
    values.resize((grid.inputs() + grid.nodes()) as usize, 0.0);
    let functions = <f64 as Value>::functions(grid.functions()).expect("functions of numbers");
    for _ in 0..grid.passes().expect("a cyclic grid") {
        for node in 0..grid.nodes() {
            let [function, x, y] = [0, 1, 2].map(|gene| {
                let gene = grid.genes_of(node).start + gene;
                genome.integers()[gene] as usize
            });
            values[(grid.inputs() + node) as usize] =
                f64::apply(functions[function], values[x], values[y]);
        }
    }
    let addresses = grid.output_addresses(genome).iter();
    addresses.map(|&address| values[address as usize]).collect()
}

#[test]
fn cyclic_programs_compute_what_the_definition_says() {
    let mut with_cycles = 0;
    for (number, (grid, _, mut rng)) in (1..).zip(programs::<Arithmetic>(11, 300)) {
        let grid = cyclic(grid, 1 + number % 5);
        let genome = Space::Program(grid.clone()).random(&mut rng);
        let inputs: Vec<f64> = (0..grid.inputs())
            .map(|_| uniform(&mut rng, -3.0, 3.0))
            .collect();
        let found = Program::new(&grid, &genome).evaluate(&inputs);
        assert_eq!(found, outputs_by_definition(&grid, &genome, &inputs));
        let active = Active::of(&grid, &genome);
        let leads_back = |node| {
            let node_address = grid.inputs() + node;
            let node = grid.node(&genome, node);
            node.arguments()
                .iter()
                .any(|&address| address >= node_address)
        };
        with_cycles += u32::from(active.nodes().any(leads_back));
        let text = grid.print(&genome);
        assert_eq!(grid.parse(&text).unwrap(), genome);
        let json = serde_json::to_string(&grid).unwrap();
        assert_eq!(serde_json::from_str::<Grid>(&json).unwrap(), grid);
    }
    assert!(with_cycles > 100, "{with_cycles}");
}

#[test]
fn a_node_that_adds_to_itself_counts_the_passes() {
    let counting = |passes| {
        let grid = cyclic(grid([1, 1, 1, 2, 2], "+,-"), passes);
        // Node 1 takes what node 2 was in the pass before; node 2 adds the input to it.
        let genome = grid.parse("0 0 2  0 1 1  2").unwrap();
        let value = Program::new(&grid, &genome).evaluate(&[1.0])[0];
        (
            value,
            lines(&formulas(&grid, &genome, &Names::numbered(&grid))),
        )
    };
    // n2 = 2 (x + n2 of before): 2, 6, 14.
    assert_eq!(counting(1).0, 2.0);
    assert_eq!(counting(3).0, 14.0);
    assert_eq!(
        counting(3).1,
        ["n1 = x0 + before(n2)", "n2 = n1 + n1", "y0 = n2"]
    );
    let error = Grid::new(Shape {
        passes: Some(0),
        ..figure().into()
    });
    assert_eq!(
        error.unwrap_err().to_string(),
        "passes = 0: must be from 1 to 1000"
    );
}

#[test]
fn a_grid_is_written_with_its_levels_and_checked_when_read() {
    let grid = figure();
    let json = serde_json::to_string(&grid).unwrap();
    assert_eq!(
        json,
        r#"{"inputs":2,"outputs":4,"rows":2,"columns":3,"levels-back":3,"functions":"+,-,*,/"}"#
    );
    assert_eq!(serde_json::from_str::<Grid>(&json).unwrap(), grid);
    let without = json.replace(r#""levels-back":3,"#, "");
    assert_eq!(serde_json::from_str::<Grid>(&without).unwrap(), grid);
    let wrong = json.replace(r#""rows":2"#, r#""rows":0"#);
    let problem = serde_json::from_str::<Grid>(&wrong)
        .unwrap_err()
        .to_string();
    assert_eq!(problem, "rows = 0: must be from 1 to 65536");
}

#[test]
fn wrong_genotypes_are_explained() {
    let check = |grid: &Grid, text: &str, expected: &str| {
        assert_eq!(grid.parse(text).unwrap_err().to_string(), expected);
    };
    let published = figure();
    check(
        &published,
        "0 0 1",
        "3 genes; expected 22: 3 for each of 6 nodes, then 4 for the outputs",
    );
    check(
        &published,
        &FIGURE.replacen('0', "4", 1),
        "gene 0, the function of node 2, is '4': must be from 0 to 3 (+,-,*,/)",
    );
    check(
        &published,
        &FIGURE.replace("1 3 1", "1 4 1"),
        "gene 7, connection 1 of node 4, is '4': must be from 0 to 3",
    );
    check(
        &published,
        &FIGURE.replace("5 7 3", "5 8 3"),
        "gene 20, output 2, is '8': must be from 0 to 7",
    );
    check(
        &published,
        &FIGURE.replace("5 7 3", "5 7 -3"),
        "gene 21, output 3, is '-3': must be from 0 to 7",
    );
    check(
        &grid([2, 4, 2, 3, 1], "+,-,*,/"),
        &FIGURE.replace("2 5 4", "2 5 3"),
        "gene 17, connection 2 of node 7, is '3': must be an input, from 0 to 1, or a node, from 4 to 5",
    );
}

/// Whether a value is legal, straight from the definition.
fn is_legal(grid: &Grid, gene: usize, value: u32) -> bool {
    let nodes = grid.rows() * grid.columns();
    match grid.gene(gene) {
        Gene::Function { .. } => (value as usize) < grid.functions().len(),
        Gene::Output { .. } => value < grid.inputs() + nodes,
        Gene::Connection { node, .. } if value >= grid.inputs() => {
            let columns = |node: u32| node / grid.rows();
            let steps = i64::from(columns(node)) - i64::from(columns(value - grid.inputs()));
            (1..=i64::from(grid.levels_back())).contains(&steps)
        }
        Gene::Connection { .. } => true,
    }
}

#[test]
fn genes_have_exactly_the_legal_values() {
    for (grid, ..) in programs::<Arithmetic>(1, 100) {
        for gene in 0..grid.genes() {
            let all = 0..grid.inputs() + grid.nodes() + 20;
            let legal: Vec<u32> = all.filter(|&value| is_legal(&grid, gene, value)).collect();
            assert_eq!(grid.values(gene) as usize, legal.len());
            for (place, &value) in legal.iter().enumerate() {
                assert_eq!(grid.value(gene, place as u32), value);
                assert_eq!(grid.place(gene, value), Some(place as u32));
            }
            let none =
                (0..grid.inputs() + grid.nodes() + 20).filter(|value| !legal.contains(value));
            assert!(
                none.into_iter()
                    .all(|value| grid.place(gene, value).is_none())
            );
        }
    }
}

#[test]
fn genotypes_are_read_as_they_are_written() {
    for (grid, genome, _) in programs::<Arithmetic>(2, 300) {
        assert_eq!(grid.parse(&grid.print(&genome)), Ok(genome));
    }
}

/// All nodes from left to right, by their genes and the names of their functions.
fn interpreted<T: Value>(
    grid: &Grid,
    genome: &Genome,
    inputs: &[T],
    function: impl Fn(&str, T, T) -> T,
) -> Vec<T> {
    let genes = genome.integers();
    let mut values = inputs.to_vec();
    for node in genes.chunks(3).take(grid.nodes() as usize) {
        let name = grid.functions().kind(node[0] as usize).name;
        values.push(function(
            name,
            values[node[1] as usize],
            values[node[2] as usize],
        ));
    }
    let outputs = &genes[3 * grid.nodes() as usize..];
    outputs
        .iter()
        .map(|&address| values[address as usize])
        .collect()
}

fn plain_number(name: &str, x: f64, y: f64) -> f64 {
    let result = match name {
        "+" => x + y,
        "-" => x - y,
        "*" => x * y,
        "/" if y == 0.0 => 1.0,
        "/" => x / y,
        "min" => [x, y][usize::from(y < x)],
        "max" => [x, y][usize::from(y > x)],
        "avg" => 0.5 * x + 0.5 * y,
        "gt" => [0.0, 1.0][usize::from(x > y)],
        "gate" => [0.0, y][usize::from(x > 0.0)],
        "neg" => -x,
        "abs" => x.abs(),
        "sqrt" => x.abs().sqrt(),
        other => unreachable!("{other}"),
    };
    match result {
        f64::INFINITY => f64::MAX,
        f64::NEG_INFINITY => f64::MIN,
        finite => finite,
    }
}

fn plain_bits(name: &str, x: u64, y: u64) -> u64 {
    let bit = |place: u32| match (name, x >> place & 1, y >> place & 1) {
        ("and", x, y) => x * y,
        ("or", x, y) => x.max(y),
        ("nand", x, y) => 1 - x * y,
        ("nor", x, y) => 1 - x.max(y),
        ("xor", x, y) => (x + y) % 2,
        (other, ..) => unreachable!("{other}"),
    };
    (0..64).fold(0, |word, place| word | bit(place) << place)
}

#[test]
fn programs_of_numbers_compute_what_their_genotypes_say() {
    let ends = [
        0.0,
        -0.0,
        1.0,
        f64::MAX,
        f64::MIN,
        f64::MIN_POSITIVE,
        5e-324,
    ];
    for (grid, genome, mut rng) in programs::<Arithmetic>(3, 1000) {
        let program = Program::<f64>::new(&grid, &genome);
        assert_eq!(program.steps(), Active::of(&grid, &genome).count());
        for _ in 0..10 {
            let inputs: Vec<f64> = (0..grid.inputs())
                .map(|_| match below(&mut rng, 14) as usize {
                    end if end < ends.len() => ends[end],
                    _ => uniform(&mut rng, -20.0, 20.0),
                })
                .collect();
            let bits = |values: Vec<f64>| values.into_iter().map(f64::to_bits).collect::<Vec<_>>();
            let expected = interpreted(&grid, &genome, &inputs, plain_number);
            assert!(expected.iter().all(|value| value.is_finite()));
            assert_eq!(bits(program.evaluate(&inputs)), bits(expected));
        }
    }
}

#[test]
fn programs_of_bits_compute_what_their_genotypes_say() {
    for (grid, genome, mut rng) in programs::<Logic>(4, 1000) {
        let program = Program::<u64>::new(&grid, &genome);
        let inputs: Vec<u64> = (0..grid.inputs())
            .map(|_| rand_core::Rng::next_u64(&mut rng))
            .collect();
        let expected = interpreted(&grid, &genome, &inputs, plain_bits);
        assert_eq!(program.evaluate(&inputs), expected);
    }
}

#[test]
fn no_input_makes_an_output_that_is_not_a_number() {
    let ends = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0];
    for (grid, genome, mut rng) in programs::<Arithmetic>(5, 500) {
        let program = Program::<f64>::new(&grid, &genome);
        let inputs: Vec<f64> = (0..grid.inputs())
            .map(|_| ends[below(&mut rng, 4) as usize])
            .collect();
        let outputs = program.evaluate(&inputs);
        assert!(
            outputs.iter().all(|output| output.is_finite()),
            "{inputs:?} gives {outputs:?}"
        );
    }
}

fn crossover(text: &str) -> Chosen<AnyCrossover> {
    Chosen::new(text).expect("a known crossover")
}

fn mutation(text: &str) -> Chosen<AnyMutation> {
    Chosen::new(text).expect("a known mutation")
}

#[test]
fn operators_keep_programs_legal() {
    let crossovers = AnyCrossover::kinds()
        .into_iter()
        .map(|kind| crossover(kind.name));
    let mutations = AnyMutation::kinds()
        .into_iter()
        .map(|kind| mutation(kind.name));
    let (crossovers, mutations): (Vec<_>, Vec<_>) = (crossovers.collect(), mutations.collect());
    let mut used = 0;
    for (grid, first, mut rng) in programs::<Arithmetic>(6, 300) {
        let space = Space::Program(grid);
        let second = space.random(&mut rng);
        for crossover in crossovers.iter().filter(|one| one.suits(&space).is_ok()) {
            let children = crossover.cross(&space, [&first, &second], &mut rng);
            assert_eq!(children.map(|child| space.check(&child)), [Ok(()), Ok(())]);
            used += 1;
        }
        for mutation in mutations.iter().filter(|one| one.suits(&space).is_ok()) {
            let mut child = first.clone();
            mutation.mutate(&space, &mut child, &mut rng);
            assert_eq!(space.check(&child), Ok(()));
            used += 1;
        }
    }
    assert!(used >= 300 * 5, "the five operators for programs apply");
}

#[test]
fn operators_for_programs_reject_others() {
    let space = Space::Bits { genes: 8 };
    let refusal = Err("works on programs only".to_owned());
    for name in ["cut-node", "uniform-nodes", "subgraph"] {
        assert_eq!(crossover(name).suits(&space), refusal);
    }
    for name in ["single", "percentage"] {
        assert_eq!(mutation(name).suits(&space), refusal);
    }
}

/// The genes in which two genotypes differ.
fn differences(a: &Genome, b: &Genome) -> Vec<usize> {
    let both = a.integers().iter().zip(b.integers()).enumerate();
    both.filter(|(_, (a, b))| a != b)
        .map(|(gene, _)| gene)
        .collect()
}

#[test]
fn cut_node_exchanges_tails_at_a_node() {
    for (grid, a, mut rng) in programs::<Arithmetic>(7, 200) {
        let space = Space::Program(grid.clone());
        let b = space.random(&mut rng);
        let [first, second] = crossover("cut-node").cross(&space, [&a, &b], &mut rng);
        let joined = |head: &Genome, tail: &Genome, cut: usize| {
            [&head.integers()[..cut], &tail.integers()[cut..]].concat()
        };
        let fits = (1..=grid.nodes() as usize).any(|nodes| {
            first.integers() == joined(&a, &b, 3 * nodes)
                && second.integers() == joined(&b, &a, 3 * nodes)
        });
        assert!(fits);
    }
}

#[test]
fn uniform_nodes_exchanges_whole_nodes() {
    let mut from_a = 0;
    let mut nodes = 0;
    for (grid, a, mut rng) in programs::<Arithmetic>(8, 200) {
        let space = Space::Program(grid.clone());
        let b = space.random(&mut rng);
        let children = crossover("uniform-nodes").cross(&space, [&a, &b], &mut rng);
        let outputs = (grid.first_output()..grid.genes()).map(|gene| gene..gene + 1);
        for unit in (0..grid.nodes())
            .map(|node| grid.genes_of(node))
            .chain(outputs)
        {
            let [a, b] = [&a, &b].map(|parent| &parent.integers()[unit.clone()]);
            let [first, second] = children
                .each_ref()
                .map(|child| &child.integers()[unit.clone()]);
            assert!((first, second) == (a, b) || (first, second) == (b, a));
            nodes += u32::from(a != b);
            from_a += u32::from(a != b && first == a);
        }
    }
    // About 9,000 draws: five standard deviations, a false alarm once in two million.
    let off = f64::from(from_a) - f64::from(nodes) / 2.0;
    assert!(nodes > 5000 && off.abs() < 5.0 * (f64::from(nodes) / 4.0).sqrt());
}

#[test]
fn subgraph_children_use_active_nodes_of_their_parents_only() {
    let mut mixed = 0;
    for (grid, a, mut rng) in programs::<Arithmetic>(9, 500) {
        let space = Space::Program(grid.clone());
        let b = space.random(&mut rng);
        let active = [&a, &b].map(|parent| Active::of(&grid, parent));
        for child in crossover("subgraph").cross(&space, [&a, &b], &mut rng) {
            let nodes: Vec<u32> = Active::of(&grid, &child).nodes().collect();
            assert!(
                nodes
                    .iter()
                    .all(|&node| active.iter().any(|one| one.contains(node)))
            );
            mixed += u32::from(
                !differences(&child, &a).is_empty() && !differences(&child, &b).is_empty(),
            );
        }
    }
    assert!(mixed > 300, "{mixed} of 1000 children have genes of both");
}

#[test]
fn single_mutation_changes_one_active_gene() {
    let awkward =
        [[1, 1, 1, 1, 1], [1, 2, 1, 3, 1], [1, 1, 4, 1, 1]].map(|sizes| grid(sizes, "neg"));
    let awkward = awkward.into_iter().map(|grid| {
        let mut rng = stream(10, &[]);
        let genome = Space::Program(grid.clone()).random(&mut rng);
        (grid, genome, rng)
    });
    for (grid, genome, mut rng) in programs::<Arithmetic>(11, 300).chain(awkward) {
        let space = Space::Program(grid.clone());
        let active = Active::of(&grid, &genome);
        for _ in 0..20 {
            let mut child = genome.clone();
            mutation("single").mutate(&space, &mut child, &mut rng);
            let changed = differences(&genome, &child);
            let changed = changed
                .iter()
                .filter(|&&gene| active.has_gene(&grid, &genome, gene));
            assert_eq!(changed.count(), 1);
        }
    }
}

#[test]
fn percentage_changes_that_many_genes() {
    let space = Space::Program(grid([2, 4, 1, 32, 32], "+,-"));
    let mut rng = stream(12, &[]);
    let genome = space.random(&mut rng);
    for (text, expected) in [
        ("percentage", 1),
        ("percentage(share=0)", 1),
        ("percentage(share=0.1)", 10),
        ("percentage(share=1)", 100),
    ] {
        let mut child = genome.clone();
        mutation(text).mutate(&space, &mut child, &mut rng);
        assert_eq!(differences(&genome, &child).len(), expected);
    }
}

/// (1 + 4) with single mutation.
fn one_plus_four(grid: &Grid, seed: u64) -> Optimizer {
    let config = Config::OnePlusLambda(OnePlusLambdaConfig {
        lambda: 4,
        mutation: Some(mutation("single")),
    });
    let space = Space::Program(grid.clone());
    Optimizer::new(&config, space, Noise::Keep, seed).expect("valid settings")
}

#[test]
fn neutral_changes_drift() {
    let mut optimizer = one_plus_four(&figure(), 13);
    let mut parent = None;
    for generation in 0..100 {
        let scores: Vec<Scores> = optimizer
            .ask()
            .into_iter()
            .map(|candidate| Scores {
                id: candidate.id,
                scores: vec![1.0],
            })
            .collect();
        optimizer.tell(&scores).unwrap();
        let now = &optimizer.population()[0];
        assert_eq!(now.born, generation, "of equals a child survives");
        assert_ne!(parent.as_ref(), Some(&now.genome));
        parent = Some(now.genome.clone());
    }
}

/// Sorted evaluations of the runs that solved even parity within `most`.
fn parity(bits: u32, runs: u64, most: u64) -> Vec<u64> {
    let problem = Parity::new(bits, 100).unwrap();
    solved(runs, |seed| {
        let mut optimizer = one_plus_four(problem.grid(), seed);
        let score = |genome: &Genome| problem.score(genome);
        evaluations_to(&mut optimizer, problem.perfect(), most, score)
    })
}

/// The same for Koza's polynomial.
fn koza(runs: u64, most: u64) -> Vec<u64> {
    let problem = Koza::new(100).unwrap();
    solved(runs, |seed| {
        let mut optimizer = one_plus_four(problem.grid(), seed);
        let score = |genome: &Genome| problem.score(genome);
        evaluations_to(&mut optimizer, Koza::SOLVED, most, score)
    })
}

fn solved(runs: u64, run: impl Fn(u64) -> Option<u64>) -> Vec<u64> {
    let mut solved: Vec<u64> = (0..runs).filter_map(run).collect();
    solved.sort_unstable();
    solved
}

#[test]
fn even_parity_of_three_bits_is_learnt() {
    // Of 1000 runs with other seeds 99.5 % take fewer than 10,000 evaluations; 10 % fewer than 500, 10 % more than 4700. So a
    // correct program fails here for about one in 5,000 choices of seeds. CGP-Library's median is 1663.
    let found = parity(3, 20, 10_000);
    assert!(found.len() >= 18, "{} of 20 solved", found.len());
    assert!((500..4700).contains(&found[found.len() / 2]), "{found:?}");
}

#[test]
fn kozas_polynomial_is_found() {
    // Most of 20 seeds within 100,000 evaluations. Of 200 runs 139 are (CGP-Library: 18 of 30), so at most 10 of 20 would happen in
    // one of 20 choices of seeds; these are fixed.
    let found = koza(20, 100_000);
    assert!(found.len() > 10, "{} of 20 solved", found.len());
}

#[test]
#[ignore = "a minute; prints how the benchmarks compare with CGP-Library"]
fn benchmarks() {
    let quantile = |runs: &[u64], share: f64| runs[((runs.len() - 1) as f64 * share) as usize];
    let quantiles =
        |runs: &[u64]| [0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95].map(|q| quantile(runs, q));
    for (bits, runs, reference) in [(3, 1000, 1663), (4, 200, 7391), (5, 50, 30_525)] {
        let found = quantiles(&parity(bits, runs, u64::MAX));
        println!(
            "parity-{bits}, {runs} runs: quantiles {found:?}; the library's median {reference}"
        );
    }
    let found = koza(200, 100_000);
    let soon = found
        .iter()
        .filter(|&&evaluations| evaluations <= 20_000)
        .count();
    println!(
        "koza-1: {soon} of 200 within 20,000, {} within 100,000; the library 18 of 30",
        found.len()
    );
}

#[test]
#[ignore = "prints a time"]
fn speed() {
    let problem = Parity::new(5, 100).unwrap();
    let space = Space::Program(problem.grid().clone());
    let single = mutation("single");
    let mut rng = stream(14, &[]);
    let mut parent = space.random(&mut rng);
    let mut best = problem.score(&parent);
    let evaluations = 2_000_000;
    let start = std::time::Instant::now();
    for _ in 0..evaluations {
        let mut child = parent.clone();
        single.mutate(&space, &mut child, &mut rng);
        let score = problem.score(&child);
        if score >= best {
            (best, parent) = (score, child);
        }
    }
    let each = start.elapsed().as_secs_f64() / f64::from(evaluations);
    println!(
        "parity-5: {:.3} us per mutation and evaluation, {} nodes active",
        1e6 * each,
        Active::of(problem.grid(), &parent).count()
    );
}
