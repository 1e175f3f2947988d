//! A plan as text.

use cloud::plan::{CostEstimates, Row, SLOWER, START};
use cloud::prices::Market;
use cloud::span::Span;

use super::estimate::Estimate;
use crate::output::{Table, number};

/// More machine types would fill the screen.
const MOST_SHOWN: usize = 12;

/// The whole plan: the work, the assumptions, the machines, and the recommendation.
pub(super) fn describe(estimate: &Estimate) -> String {
    let plan = &estimate.plan;
    let recommended = plan.recommended();
    let mut text = head(estimate);
    text += &machines(estimate, recommended);
    let more = plan.rows.len().saturating_sub(MOST_SHOWN);
    if more > 0 {
        text += &format!("and {more} more expensive ones\n");
    }
    text + "\n" + &verdict(estimate, recommended)
}

fn head(estimate: &Estimate) -> String {
    let Estimate {
        study,
        runs,
        step,
        threads,
        work,
        requirements,
        catalogue,
        ..
    } = estimate;
    let each = work.core_seconds / work.steps.max(1) as f64;
    let market = |market| match market {
        Market::Spot => "spot",
        Market::OnDemand => "on demand",
    };
    let minutes = |seconds: f64| number(seconds / 60.0, 0);
    let lines = [
        (
            "study",
            format!(
                "{}: {runs} runs, {} {step}",
                study.name,
                number(work.steps as f64, 0)
            ),
        ),
        (
            "measured",
            format!(
                "{} s per {} on one of the {threads} threads of this machine",
                figure(each),
                singular(step)
            ),
        ),
        (
            "prices",
            format!(
                "{}; workers {}, head {}",
                catalogue.source,
                market(requirements.market),
                market(requirements.head_market)
            ),
        ),
        (
            "assumed",
            format!(
                "a vCPU is as fast as a thread here, or up to {} times slower (two are usually one core); starting takes {} to {} minutes, which are paid for; no machine is lost",
                SLOWER.high,
                minutes(START.low),
                minutes(START.high)
            ),
        ),
    ];
    let lines = lines.map(|(what, text)| format!("{what:<10} {text}\n"));
    lines.concat() + "\n"
}

fn machines(estimate: &Estimate, recommended: Option<&Row>) -> String {
    let step = singular(estimate.step);
    let (seconds, dollars) = (format!("s/{step}"), format!("$/{step}"));
    let workers = estimate.requirements.workers;
    let time = format!("time with {workers} + head");
    let mut head = vec![
        "type", "where", "vCPUs", "$/hour", &seconds, &dollars, &time, "cost, $",
    ];
    let has_deadline = estimate.requirements.deadline.is_some();
    head.extend(has_deadline.then_some("in time"));
    let mut table = Table::with_head(&head);
    for row in shown(&estimate.plan, recommended) {
        let mut cells = vec![
            row.worker.machine_type.clone(),
            region(row),
            row.worker.vcpus.to_string(),
            format!("{:.4}", row.worker_price),
            span(row.step_seconds),
            span(row.step_cost),
            time_span(row.seconds),
            span(row.cost),
        ];
        let in_time = if row.is_in_time { "yes" } else { "no" };
        cells.extend(has_deadline.then(|| in_time.to_owned()));
        table.add(cells);
    }
    table.render()
}

/// The cheapest rows, and the recommended one.
fn shown<'a>(plan: &'a CostEstimates, recommended: Option<&'a Row>) -> Vec<&'a Row> {
    let mut rows: Vec<&Row> = plan.rows.iter().take(MOST_SHOWN).collect();
    if let Some(best) = recommended
        && !rows.contains(&best)
    {
        rows.push(best);
    }
    rows
}

fn verdict(estimate: &Estimate, recommended: Option<&Row>) -> String {
    let workers = estimate.requirements.workers;
    if let Some(row) = recommended {
        return format!(
            "recommended: {workers} x {} in {} with a head of {}: {}, {} dollars; SkyPilot's own controller costs extra\n",
            row.worker.machine_type,
            region(row),
            row.head.machine_type,
            time_span(row.seconds),
            span(row.cost)
        );
    }
    let deadline = estimate.requirements.deadline.unwrap_or_default();
    let enough = estimate.plan.workers_in_time(&estimate.work, deadline);
    let time = humantime::format_duration(deadline);
    match enough {
        Some((enough, row)) => format!(
            "none is certain to finish within {time} with {workers} workers; {enough} x {} would be\n",
            row.worker.machine_type
        ),
        None => format!("none is certain to finish within {time}, with any number of workers\n"),
    }
}

/// Cloud and region; the built-in price table has no regions.
fn region(row: &Row) -> String {
    match &row.worker.region {
        Some(region) => format!("{}/{region}", row.worker.cloud),
        None => row.worker.cloud.to_string(),
    }
}

/// Singular: `generations`, `generation`.
fn singular(steps: &str) -> &str {
    steps.strip_suffix('s').unwrap_or(steps)
}

fn span(span: Span) -> String {
    match (figure(span.low), figure(span.high)) {
        (low, high) if low == high => low,
        (low, high) => format!("{low}-{high}"),
    }
}

/// Two significant digits: a plan is no more accurate.
fn figure(value: f64) -> String {
    if value <= 0.0 {
        return "0".to_owned();
    }
    let decimals = (1.0 - value.log10().floor()).clamp(0.0, 9.0) as usize;
    number(value, decimals)
}

/// In the unit that suits the upper bound.
fn time_span(seconds: Span) -> String {
    let (unit, name) = match seconds.high {
        s if s < 90.0 * 60.0 => (60.0, "min"),
        s if s < 48.0 * 3600.0 => (3600.0, "h"),
        _ => (86_400.0, "days"),
    };
    format!("{} {name}", span(seconds * (1.0 / unit)))
}
