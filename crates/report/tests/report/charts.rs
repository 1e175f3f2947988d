//! Charts of good and of odd data: well-formed, repeatable, small, and without anything from outside.

use report::charts::{
    Axes, Bar, BarSeries, Grid, Group, Level, Mark, Parallel, Series, Size, bars, boxes, effects,
    grid, heat, lines, parallel, radar, scatter,
};
use roxmltree::Document;

const ODD: [f64; 8] = [
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::MAX,
    f64::MIN_POSITIVE,
    -1.0,
    0.0,
    3.0,
];

/// What holds for every chart.
fn check(name: &str, draw: impl Fn() -> String) -> String {
    let svg = draw();
    let document = Document::parse(&svg).unwrap_or_else(|error| panic!("{name}: {error}\n{svg}"));
    assert_eq!(document.root_element().tag_name().name(), "svg", "{name}");
    assert!(document.root_element().has_attribute("viewBox"), "{name}");
    assert_eq!(svg, draw(), "{name}: the same data give the same text");
    let outside = svg.replace("http://www.w3.org/2000/svg", "");
    for word in ["http", "url(", " id=", "<script", "href", "NaN", "inf\""] {
        assert!(!outside.contains(word), "{name} has {word}");
    }
    assert!(svg.len() < 300_000, "{name} has {} bytes", svg.len());
    // For the eye: CHARTS names a folder to look into.
    if let Some(folder) = std::env::var_os("CHARTS") {
        std::fs::write(
            std::path::Path::new(&folder).join(format!("{name}.svg")),
            &svg,
        )
        .unwrap();
    }
    svg
}

/// All kinds of charts over one list of values under one label.
fn check_all(name: &str, label: &str, values: &[f64]) {
    let points: Vec<_> = values
        .iter()
        .enumerate()
        .map(|(i, &value)| (i as f64, value))
        .collect();
    let band = Some(
        values
            .iter()
            .map(|value| (value - 1.0, value + 1.0))
            .collect(),
    );
    let series = [Series {
        label: label.to_owned(),
        points,
        band,
        style: None,
    }];
    let (label, data) = (label.to_owned(), values.to_vec());
    for (log_x, log_y, size) in [(false, false, Size::Page), (true, true, Size::Big)] {
        let mark = |value: &f64| Mark {
            label: label.clone(),
            value: *value,
        };
        let axes = Axes {
            log_x,
            log_y,
            size,
            marks: data.iter().map(mark).collect(),
            ..words(&label, &label, &label)
        };
        check(&format!("{name}-lines-{log_y}"), || lines(&axes, &series));
        check(&format!("{name}-scatter-{log_y}"), || {
            scatter(&axes, &series)
        });
        check(&format!("{name}-boxes-{log_y}"), || {
            boxes(&axes, &[(label.clone(), data.clone())])
        });
    }
    let axes = words(&label, &label, &label);
    let named = vec![label.clone(); values.len()];
    let column = values
        .iter()
        .map(|&value| Bar {
            value,
            interval: Some([value - 1.0, value + 1.0]),
        })
        .collect();
    let column = [BarSeries {
        label: label.clone(),
        bars: column,
    }];
    check(&format!("{name}-bars"), || bars(&axes, &named, &column));
    check(&format!("{name}-heat"), || {
        heat(&axes, &label, values, &[data.clone(), vec![]], true)
    });
    check(&format!("{name}-radar"), || {
        radar(&axes, &named, &[(label.clone(), data.clone())])
    });
    let level = |&mean: &f64| Level {
        label: label.clone(),
        mean,
        interval: Some([mean - 1.0, mean + 1.0]),
    };
    let groups = vec![
        Group {
            label: label.clone(),
            levels: values.iter().map(level).collect(),
        };
        3
    ];
    check(&format!("{name}-effects"), || effects(&axes, &groups));
    let cells = Grid {
        columns: named.clone(),
        rows: named.clone(),
        cells: vec![data.clone(), vec![]],
        lower_is_better: true,
    };
    check(&format!("{name}-grid"), || grid(&axes, &cells));
    let lines = Parallel {
        keys: vec![(label.clone(), named.clone()); 3],
        lines: values.iter().map(|&value| (vec![0; 3], value)).collect(),
        lower_is_better: false,
    };
    check(&format!("{name}-parallel"), || parallel(&axes, &lines));
}

fn words(title: &str, x: &str, y: &str) -> Axes {
    Axes {
        title: title.to_owned(),
        x: x.to_owned(),
        y: y.to_owned(),
        ..Axes::default()
    }
}

/// Numbers without a pattern in [0, 1).
fn noise(i: usize) -> f64 {
    let mixed = (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    ((mixed ^ (mixed >> 32)) >> 11) as f64 / (1u64 << 53) as f64
}

fn growing(label: &str, length: usize, pace: f64, band: bool) -> Series {
    let height =
        |i: usize| 4_000.0 * (1.0 - (-(i as f64) * pace).exp()) + 300.0 * noise(i + length) + 20.0;
    let points: Vec<_> = (0..length).map(|i| (i as f64, height(i))).collect();
    let band = band.then(|| {
        points
            .iter()
            .map(|&(_, y)| (y * 0.85, y * 1.1 + 60.0))
            .collect()
    });
    Series {
        label: label.to_owned(),
        points,
        band,
        style: None,
    }
}

#[test]
fn nothing_one_point_and_constants_are_drawn() {
    check_all("empty", "", &[]);
    check_all("one", "one", &[7.0]);
    check_all("constant", "constant", &[5.0; 30]);
    check_all("zero", "zero", &[0.0; 5]);
    check_all(
        "close",
        "close",
        &[1.0, 1.0 + f64::EPSILON, 1.0 - f64::EPSILON],
    );
}

#[test]
fn odd_values_are_left_out() {
    check_all("odd", "odd", &ODD);
    check_all("unknown", "unknown", &[f64::NAN; 9]);
    check_all("wide", "wide", &[1e-90, 1e90, -1e90, 1.0]);
    let svg = lines(
        &Axes::default(),
        &[Series {
            points: ODD.map(|y| (1.0, y)).to_vec(),
            ..Series::default()
        }],
    );
    assert_eq!(
        svg.matches("<circle").count(),
        4,
        "four of eight values can be drawn\n{svg}"
    );
}

#[test]
fn labels_are_escaped_and_cut() {
    let label = "<b>&\"'$x^2$ \u{0}\u{ffff}";
    check_all("escaped", label, &[1.0, 2.0, 3.0]);
    let svg = lines(
        &words(label, label, label),
        &[growing(label, 5, 0.1, false)],
    );
    let document = Document::parse(&svg).unwrap();
    let texts = document
        .descendants()
        .filter(roxmltree::Node::is_text)
        .filter_map(|node| node.text());
    assert_eq!(
        texts
            .filter(|text| text.starts_with("<b>&\"'$x^2$"))
            .count(),
        4,
        "{svg}"
    );
    let long = "a very long label ".repeat(40);
    check_all("long", &long, &[1.0, 2.0, 3.0, 2.0]);
    assert!(!lines(&words(&long, &long, &long), &[]).contains(&long[..80]));
}

#[test]
fn many_points_and_many_series_stay_small_and_keep_their_extremes() {
    let mut spike = growing("spike", 8_000, 0.001, true);
    spike.points[4_321].1 = 9_876.0;
    let svg = check("many-points", || {
        lines(
            &words("8,000 points", "generation", "lines"),
            &[spike.clone()],
        )
    });
    assert!(svg.len() < 100_000, "{}", svg.len());
    assert!(
        svg.contains(">10,000<"),
        "the axis reaches to the spike, which is kept"
    );
    check("many-dots", || {
        scatter(
            &words("8,000 points", "generation", "lines"),
            &[spike.clone()],
        )
    });
    let many: Vec<_> = (0..40)
        .map(|i| growing(&format!("run {i}"), 8_000, 0.0002 * f64::from(i), true))
        .collect();
    let svg = check("many-series", || {
        lines(&words("40 runs", "generation", "lines"), &many)
    });
    assert!(svg.contains("and 6 more"));
    check("many-clouds", || {
        scatter(&words("40 clouds", "generation", "lines"), &many)
    });
    let values = |i: usize| (0..8_000).map(|k| noise(i * 8_000 + k)).collect::<Vec<_>>();
    let groups: Vec<_> = (0..40).map(|i| (format!("run {i}"), values(i))).collect();
    check("many-boxes", || {
        boxes(&words("40 groups", "run", "lines"), &groups)
    });
}

#[test]
fn a_large_heat_map_stays_small() {
    let rows: Vec<Vec<f64>> = (0..150)
        .map(|r| (0..1_000).map(|c| noise(r * 1_000 + c)).collect())
        .collect();
    let columns: Vec<f64> = (0..1_000).map(f64::from).collect();
    check("noisy-heat", || {
        heat(
            &words("Noise", "generation", "rank"),
            "fitness",
            &columns,
            &rows,
            false,
        )
    });
}

#[test]
fn lines_can_be_looked_at() {
    let runs = [
        growing("cma-es", 300, 0.02, true),
        growing("ga, tournament 4", 300, 0.008, true),
        growing("de", 300, 0.012, false),
    ];
    let axes = words("Best of three methods", "generation", "lines cleared");
    check("lines", || lines(&axes, &runs));
    let axes = words("Effort", "games played", "lines cleared");
    let axes = Axes {
        log_x: true,
        log_y: true,
        ..axes
    };
    check("lines-log", || lines(&axes, &runs));
    let short = [
        ("a", 12, 0.1),
        ("b", 13, 0.2),
        ("c", 14, 0.3),
        ("d", 15, 0.5),
    ];
    let short = short.map(|(name, length, pace)| growing(name, length, pace, false));
    let axes = words("Few points", "generation", "lines cleared");
    check("lines-short", || lines(&axes, &short));
    check("scatter", || scatter(&axes, &short));
    let few = [growing("with intervals", 9, 0.2, true)];
    check("scatter-whiskers", || scatter(&axes, &few));
}

#[test]
fn boxes_and_bars_can_be_looked_at() {
    let value = |i: usize, k: usize| 100.0 * i as f64 + 400.0 * noise(i * 40 + k).powi(2);
    let methods = ["cma-es", "ga", "de", "random search"].iter().enumerate();
    let groups =
        methods.map(|(i, name)| (name.to_string(), (0..40).map(|k| value(i, k)).collect()));
    let groups: Vec<(String, Vec<f64>)> = groups.collect();
    let axes = words("Champions of 40 runs", "method", "lines cleared");
    check("boxes", || boxes(&axes, &groups));
    let bar = |i: usize| {
        let value = 300.0 * noise(i) - 80.0;
        Bar {
            value,
            interval: Some([value - 40.0, value + 30.0]),
        }
    };
    let series: Vec<BarSeries> = ["first", "second", "third"]
        .iter()
        .enumerate()
        .map(|(i, label)| BarSeries {
            label: label.to_string(),
            bars: (0..3).map(|c| bar(i * 3 + c)).collect(),
        })
        .collect();
    let games = ["tetris", "2048", "connect four"].map(String::from);
    check("bars", || {
        bars(&words("Elo above random", "game", "Elo"), &games, &series)
    });
}

#[test]
fn heat_maps_and_radars_can_be_looked_at() {
    let cell = |r: usize, c: usize| {
        (30.0 * c as f64 - 40.0 * r as f64).max(0.0) + 90.0 * noise(r * 120 + c)
    };
    let rows: Vec<Vec<f64>> = (0..50)
        .map(|r| (0..120).map(|c| cell(r, c)).collect())
        .collect();
    let columns: Vec<f64> = (0..120).map(|c| f64::from(c) * 5.0).collect();
    let axes = words("Population", "generation", "rank");
    check("heat", || heat(&axes, "fitness", &columns, &rows, false));
    let features =
        "holes,aggregate height,bumpiness,lines,row transitions,wells,landing height,eroded cells";
    let features: Vec<String> = features.split(',').map(String::from).collect();
    let weights = |k: usize| (0..8).map(|i| 2.0 * noise(k * 8 + i) - 1.0).collect();
    let champions: Vec<_> = (0..3)
        .map(|k| (format!("champion {k}"), weights(k)))
        .collect();
    check("radar", || {
        radar(
            &words("Weights of three champions", "", ""),
            &features,
            &champions,
        )
    });
}
