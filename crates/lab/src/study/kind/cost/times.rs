//! The times of a cost study, by name and as a plot. All of them depend on the machine.

use std::collections::BTreeMap;

use evolve::median_high;
use games::connect::Rules;
use players::Spec;

use super::judged::Judged;
use super::{Cost, Per};
use crate::run::context::RunContext;
use crate::run::plot::{Plot, Style};
use crate::study::kind::forecast::slope;

/// Times by name.
type Times = BTreeMap<String, f64>;

/// Share of moves in which the second player was slower.
pub(super) const SHARE_SLOWER: &str = "share slower";
/// Where nothing can be pruned, both players do the same work and chance decides which is slower; a tenth is more than chance.
const CLEARLY: f64 = 1.1;
/// Time / (M N^2) on the slowest board over that on the fastest.
pub(super) const SPREAD: &str = "largest over smallest";
/// The same without boards so small that call overhead dominates.
pub(super) const SPREAD_LARGE: &str = "largest over smallest from 4x4";
const LARGE: u8 = 4;
/// The exponent of M N^2 with which time grows on those boards: 1 if the bound is tight, less otherwise.
const GROWTH: &str = "growth from 4x4";

pub(super) fn is_large(rules: &Rules) -> bool {
    rules.rows.min(rules.cols) >= LARGE
}

pub(super) fn seconds_of(player: &str) -> String {
    format!("median seconds of {player}")
}

impl Cost {
    pub(super) fn tell_times(&self, found: &[Vec<Judged>], context: &mut RunContext<'_>) {
        let all: Vec<&Judged> = found.iter().flatten().collect();
        let times = &mut context.status.times;
        for (place, (name, _)) in self.players.iter().enumerate() {
            let seconds = all.iter().map(|judged| judged.seconds[place]);
            times.insert(seconds_of(name), median_high(seconds));
        }
        times.insert("moves".to_owned(), all.len() as f64);
        if self.players.len() > 1 {
            compare(&all, times);
        }
        let plot = match self.per {
            Per::Tree => self.tree_plot(&all),
            Per::Pass => {
                self.tell_flatness(found, times);
                self.flat_plot(found)
            }
        };
        context.status.plots = vec![plot];
    }

    fn tell_flatness(&self, found: &[Vec<Judged>], times: &mut Times) {
        let flat = self.flat(found, 0);
        times.insert(SPREAD.to_owned(), spread(&flat, |_| true));
        if self.cases.iter().any(is_large) {
            times.insert(SPREAD_LARGE.to_owned(), spread(&flat, is_large));
        }
        if let Some(growth) = growth(&flat) {
            times.insert(GROWTH.to_owned(), growth);
        }
    }

    /// Time of every move against a^b.
    fn tree_plot(&self, all: &[&Judged]) -> Plot {
        let series = |(place, (name, _)): (usize, &(String, Spec))| {
            let point = |judged: &&Judged| (judged.tree(), judged.seconds[place]);
            (name.clone(), all.iter().map(point).collect())
        };
        Plot {
            name: "cost".to_owned(),
            title: "Time of a move against the tree below it".to_owned(),
            x: "columns that are not full ^ empty cells".to_owned(),
            y: "seconds".to_owned(),
            style: Style::Points,
            log: [true, true],
            series: self.players.iter().enumerate().map(series).collect(),
        }
    }

    /// Median time / (M N^2) of a player on every board.
    fn flat(&self, found: &[Vec<Judged>], player: usize) -> Vec<(Rules, f64)> {
        let of_board = |(&rules, judged): (&Rules, &Vec<Judged>)| {
            let seconds = judged.iter().map(|judged| judged.seconds[player]);
            (rules, median_high(seconds) / passes(rules))
        };
        self.cases.iter().zip(found).map(of_board).collect()
    }

    fn flat_plot(&self, found: &[Vec<Judged>]) -> Plot {
        let series = |(place, (name, _)): (usize, &(String, Spec))| {
            let flat = self.flat(found, place).into_iter();
            let points = flat.map(|(rules, time)| (f64::from(rules.cells()), time));
            (name.clone(), points.collect())
        };
        Plot {
            name: "cost-flat".to_owned(),
            title: "Time of a move / (rows x columns^2)".to_owned(),
            x: "cells of the board".to_owned(),
            y: "seconds / (rows x columns^2)".to_owned(),
            style: Style::Points,
            log: [false, false],
            series: self.players.iter().enumerate().map(series).collect(),
        }
    }
}

/// Compares the second player's times with the first's.
fn compare(all: &[&Judged], times: &mut Times) {
    let slower_by = |factor: f64| {
        let slower = |judged: &&&Judged| judged.seconds[1] > factor * judged.seconds[0];
        all.iter().filter(slower).count() as f64
    };
    let sum = |player: usize| all.iter().map(|judged| judged.seconds[player]).sum::<f64>();
    times.insert("slower moves".to_owned(), slower_by(1.0));
    times.insert(SHARE_SLOWER.to_owned(), slower_by(1.0) / all.len() as f64);
    times.insert("moves slower by a tenth".to_owned(), slower_by(CLEARLY));
    times.insert("times as fast".to_owned(), sum(0) / sum(1));
}

/// Cells read when each move is evaluated by one pass over the board: M N^2.
fn passes(rules: Rules) -> f64 {
    let [rows, cols] = [rules.rows, rules.cols].map(f64::from);
    rows * cols * cols
}

/// The exponent of M N^2 with which time grows on larger boards.
fn growth(flat: &[(Rules, f64)]) -> Option<f64> {
    let large = flat.iter().filter(|(rules, _)| is_large(rules));
    let points: Vec<(f64, f64)> = large
        .map(|&(rules, time)| (libm::log(passes(rules)), libm::log(time)))
        .collect();
    Some(1.0 + slope(&points)?)
}

/// The ratio of the largest to the smallest time among the selected boards.
fn spread(flat: &[(Rules, f64)], counts: impl Fn(&Rules) -> bool) -> f64 {
    let times = flat.iter().filter(|(rules, _)| counts(rules));
    let (least, most) = times.fold((f64::INFINITY, 0.0_f64), |(least, most), &(_, time)| {
        (least.min(time), most.max(time))
    });
    most / least
}
