//! Time and cost of a study.

use std::time::Duration;

use cloud::clouds::cloud;
use cloud::plan::{CostEstimates, PlanError, Requirements, SLOWER, START, Work, plan};
use cloud::prices::{Catalogue, Market, Offer, Source};

/// Machine type, cores, dollars per hour, seconds and dollars per generation, from the 2048-ga work.
const PUBLISHED: [(&str, u32, f64, f64, f64); 5] = [
    ("c4.large", 2, 0.0290, 82.0, 0.000_693),
    ("c4.xlarge", 4, 0.0588, 44.5, 0.000_717),
    ("c4.2xlarge", 8, 0.1140, 22.5, 0.000_740),
    ("c4.4xlarge", 16, 0.2201, 13.0, 0.000_795),
    ("c4.8xlarge", 36, 0.4371, 6.6, 0.000_801),
];

const HOUR: f64 = 3600.0;

fn required() -> Requirements {
    Requirements {
        workers: 8,
        market: Market::Spot,
        head_market: Market::Spot,
        clouds: Vec::new(),
        region: None,
        machine_type: None,
        max_price: None,
        deadline: None,
    }
}

/// A hundred generations of 1,000 core seconds each.
fn work() -> Work {
    Work {
        core_seconds: 100_000.0,
        steps: 100,
        at_once: 10_000,
    }
}

fn offer(name: &str, machine_type: &str, region: &str, vcpus: u32, spot: f64) -> Offer {
    Offer {
        cloud: cloud(name).expect("a cloud"),
        region: Some(region.to_owned()),
        machine_type: machine_type.to_owned(),
        vcpus,
        on_demand: Some(3.0 * spot),
        spot: Some(spot),
    }
}

fn catalogue() -> Catalogue {
    Catalogue {
        source: Source::BuiltIn,
        offers: vec![
            offer("aws", "c5.large", "us-east-1", 2, 0.03),
            offer("aws", "c5.4xlarge", "us-east-1", 16, 0.26),
            offer("aws", "c5.4xlarge", "eu-west-1", 16, 0.24),
            offer("aws", "c5.large", "eu-west-1", 2, 0.035),
            offer("gcp", "n2-standard-32", "us-central1", 32, 0.40),
        ],
    }
}

fn types(plan: &CostEstimates) -> Vec<&str> {
    let rows = plan.rows.iter();
    rows.map(|row| row.worker.machine_type.as_str()).collect()
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * b.abs()
}

/// 2048-ga measured each machine separately, so each is a study of its own here. Its costs per generation follow from the two other columns to the last
/// digit in the last two rows, but only within 5 % in the first three.
#[test]
fn published_costs_per_generation_are_reproduced() {
    for (machine_type, cores, price, seconds, dollars) in PUBLISHED {
        let work = Work {
            core_seconds: f64::from(cores) * seconds,
            steps: 1,
            at_once: 100,
        };
        let required = Requirements {
            machine_type: Some(machine_type.to_owned()),
            ..required()
        };
        let plan = plan(&work, &required, &Catalogue::built_in()).expect("a plan");
        let [row] = plan.rows.as_slice() else {
            panic!("one row: {plan:?}");
        };
        assert_eq!(row.worker.vcpus, cores);
        assert!(close(row.worker_price, price), "{row:?}");
        assert!(close(row.step_seconds.low, seconds), "{row:?}");
        let found = row.step_cost.low;
        assert!(close(found, price * seconds / HOUR), "{row:?}");
        let tolerance = match machine_type {
            "c4.4xlarge" | "c4.8xlarge" => 0.000_000_5,
            _ => 0.05 * dollars,
        };
        assert!(
            (found - dollars).abs() <= tolerance,
            "{machine_type}: {found}"
        );
    }
}

#[test]
fn time_and_cost_include_all_workers_and_the_head() {
    let required = Requirements {
        machine_type: Some("c5.4xlarge".to_owned()),
        region: Some("us-east-1".to_owned()),
        ..required()
    };
    let plan = plan(&work(), &required, &catalogue()).expect("a plan");
    let row = &plan.rows[0];
    assert_eq!(row.head.machine_type, "c5.large");
    let alone = 100_000.0 / (8.0 * 16.0);
    for (seconds, cost, start, slower) in [
        (row.seconds.low, row.cost.low, START.low, SLOWER.low),
        (row.seconds.high, row.cost.high, START.high, SLOWER.high),
    ] {
        assert!(close(seconds, start + slower * alone), "{row:?}");
        assert!(close(cost, seconds / HOUR * (8.0 * 0.26 + 0.03)), "{row:?}");
    }
    // One machine takes eight times as long for a generation as eight would.
    assert!(close(row.step_seconds.low, 1000.0 / 16.0), "{row:?}");
}

#[test]
fn processors_without_a_job_make_nothing_faster() {
    let few = Work {
        at_once: 20,
        ..work()
    };
    let rows = plan(&few, &required(), &catalogue()).expect("a plan").rows;
    for row in &rows {
        let busy = (8 * row.worker.vcpus).min(20);
        let expected = START.low + 100_000.0 / f64::from(busy);
        assert!(close(row.seconds.low, expected), "{row:?}");
    }
    assert!(rows.iter().any(|row| 8 * row.worker.vcpus > 20));
}

#[test]
fn each_type_is_listed_once_in_its_cheapest_region_and_the_cheapest_first() {
    let plan = plan(&work(), &required(), &catalogue()).expect("a plan");
    let mut sorted = types(&plan);
    sorted.sort_unstable();
    assert_eq!(sorted, ["c5.4xlarge", "c5.large", "n2-standard-32"]);
    let costs: Vec<f64> = plan.rows.iter().map(|row| row.cost.high).collect();
    assert!(costs.is_sorted(), "{costs:?}");
    let of_type = |name: &str| plan.rows.iter().find(|row| row.worker.machine_type == name);
    let region = of_type("c5.4xlarge").and_then(|row| row.worker.region.clone());
    assert_eq!(region.as_deref(), Some("eu-west-1"));
    for row in &plan.rows {
        assert_eq!(row.worker.region, row.head.region);
    }
    assert_eq!(plan.recommended(), plan.rows.first());
}

#[test]
fn only_matching_machines_are_considered() {
    let only_gcp = Requirements {
        clouds: vec![cloud("gcp").expect("a cloud")],
        ..required()
    };
    let found = plan(&work(), &only_gcp, &catalogue()).expect("a plan");
    assert_eq!(types(&found), ["n2-standard-32"]);
    let there = Requirements {
        region: Some("us-east-1".to_owned()),
        ..required()
    };
    let found = plan(&work(), &there, &catalogue()).expect("a plan");
    assert_eq!(types(&found).len(), 2);
    let unknown = Requirements {
        machine_type: Some("c9.huge".to_owned()),
        region: Some("us-east-1".to_owned()),
        ..only_gcp
    };
    let error = plan(&work(), &unknown, &catalogue())
        .expect_err("nothing")
        .to_string();
    assert!(
        error.contains("no spot machine of type c9.huge on gcp in us-east-1"),
        "{error}"
    );
}

#[test]
fn on_demand_machines_have_their_own_price() {
    let required = Requirements {
        market: Market::OnDemand,
        machine_type: Some("c5.large".to_owned()),
        region: Some("us-east-1".to_owned()),
        ..required()
    };
    let plan = plan(&work(), &required, &catalogue()).expect("a plan");
    assert!(close(plan.rows[0].worker_price, 0.09));
    assert!(close(plan.rows[0].head_price, 0.03));
}

#[test]
fn machines_above_the_price_limit_are_not_offered() {
    let limited = |max_price| Requirements {
        max_price: Some(max_price),
        ..required()
    };
    let found = plan(&work(), &limited(0.26), &catalogue()).expect("a plan");
    let mut names = types(&found);
    names.sort_unstable();
    assert_eq!(names, ["c5.4xlarge", "c5.large"]);
    let error = plan(&work(), &limited(0.02), &catalogue()).expect_err("too expensive");
    assert_eq!(
        error,
        PlanError::TooExpensive {
            limit: 0.02,
            cheapest: "c5.large".to_owned(),
            price: 0.03
        }
    );
    assert!(error.to_string().contains("nothing was rented"));
}

#[test]
fn a_head_is_needed_in_the_region_of_the_workers() {
    let mut catalogue = catalogue();
    catalogue.offers.retain(|offer| offer.cloud.name == "gcp");
    catalogue.offers[0].on_demand = None;
    let required = Requirements {
        head_market: Market::OnDemand,
        max_price: Some(1.0),
        ..required()
    };
    let error = plan(&work(), &required, &catalogue)
        .expect_err("no head")
        .to_string();
    assert!(
        error.contains(
            "no on-demand machine for the head (at least 2 vCPUs) for at most 1 dollars per hour"
        ),
        "{error}"
    );
}

#[test]
fn the_cheapest_that_meets_the_deadline_is_recommended() {
    // With eight workers: 2 vCPUs need about 13,000 s at worst, 16 about 2,200 s, 32 about 1,400 s.
    let by = |seconds| Requirements {
        deadline: Some(Duration::from_secs(seconds)),
        ..required()
    };
    for (seconds, expected) in [
        (20_000, Some("c5.large")),
        (2_500, Some("c5.4xlarge")),
        (2_000, Some("n2-standard-32")),
        (1_000, None),
    ] {
        let plan = plan(&work(), &by(seconds), &catalogue()).expect("a plan");
        let recommended = plan.recommended();
        let name = recommended.map(|row| row.worker.machine_type.as_str());
        assert_eq!(name, expected, "{seconds} s: {plan:?}");
    }
}

#[test]
fn the_number_of_workers_that_would_meet_the_deadline_is_known() {
    let plan = plan(&work(), &required(), &catalogue()).expect("a plan");
    let deadline = Duration::from_secs(1_000);
    let (workers, row) = plan.workers_in_time(&work(), deadline).expect("enough");
    // 600 s to start, 2 x 100,000 s on 32 processors each: 15.6 of them would need exactly 400 s.
    assert_eq!(
        (workers, row.worker.machine_type.as_str()),
        (16, "n2-standard-32")
    );
    // Nothing can finish before the machines have started.
    let deadline = Duration::from_secs(500);
    assert_eq!(plan.workers_in_time(&work(), deadline), None);
}
