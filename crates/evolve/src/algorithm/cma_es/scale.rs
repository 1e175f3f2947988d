//! Maps between genes and the unbounded coordinates of CMA-ES, in which every range is from -1/2 to 1/2.
//!
//! Unbounded genes are only shifted and scaled. Bounded ones are folded into their range as in Hansen's pycma
//! (`BoundTransform`): the identity except for a margin of a 20th of the range at each end; there a parabola, with slope 1 where
//! it begins and slope 0 at the bound; beyond the bound everything is mirrored. An optimum on the bound becomes a smooth one, and
//! the whole range stays reachable.
//!
//! Many coordinates map to the same gene; the inverse gives the one nearest to the search.

use crate::algorithm::{ConfigError, ranges_of};
use crate::genome::{Range, Space};

/// Where the parabola begins, measured from the bound.
const MARGIN: f64 = 0.05;
/// The coordinate of the upper bound.
const EDGE: f64 = 0.5 + MARGIN;
/// Up to here coordinates and scaled genes are the same.
const STRAIGHT: f64 = 0.5 - MARGIN;

/// The ranges of a real space.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scale<'a> {
    ranges: &'a [Range],
    bounded: bool,
}

impl<'a> Scale<'a> {
    /// The scale of a space; rejects spaces without real genes, and empty ranges.
    pub(super) fn of(space: &'a Space) -> Result<Self, ConfigError> {
        let ranges = ranges_of(space, "cma-es")?;
        let has_room = |range: &Range| width(range) > 0.0;
        if let Some(gene) = ranges.iter().position(|range| !has_room(range)) {
            let Range { low, high } = ranges[gene];
            let problem =
                format!("needs ranges that are not empty; gene {gene} is from {low} to {high}");
            return Err(ConfigError::value("algorithm", "cma-es", problem));
        }
        Ok(Self::checked(space))
    }

    /// The scale of a space that was checked.
    pub(super) fn checked(space: &'a Space) -> Self {
        let Space::Reals { ranges, bounded } = space else {
            unreachable!("the space was checked");
        };
        Self {
            ranges,
            bounded: *bounded,
        }
    }

    /// Coordinates of the initial mean; the first invalid value and its problem if there is one.
    pub(super) fn start(&self, start: &[Option<f64>]) -> Result<Vec<f64>, (f64, String)> {
        let genes = start
            .iter()
            .zip(self.ranges)
            .map(|(value, range)| match *value {
                None => Ok(centre(range)),
                Some(value)
                    if value.is_finite()
                        && (!self.bounded || (range.low..=range.high).contains(&value)) =>
                {
                    Ok(value)
                }
                Some(value) => {
                    let Range { low, high } = range;
                    Err((value, format!("must be from {low} to {high}")))
                }
            });
        let genes: Vec<f64> = genes.collect::<Result<_, _>>()?;
        Ok(self.coordinates(&genes, &vec![0.0; genes.len()]))
    }

    /// Turns coordinates into genes, in place.
    pub(super) fn confine(&self, coordinates: &mut [f64]) {
        for (x, range) in coordinates.iter_mut().zip(self.ranges) {
            if self.bounded {
                let gene = centre(range) + width(range) * fold(*x);
                *x = gene.clamp(range.low, range.high);
            } else {
                *x = centre(range) + width(range) * *x;
            }
        }
    }

    /// Coordinates of genes, the nearest ones to a point.
    pub(super) fn coordinates(&self, genes: &[f64], point: &[f64]) -> Vec<f64> {
        let scaled = genes.iter().zip(self.ranges);
        let scaled = scaled.map(|(gene, range)| (gene - centre(range)) / width(range));
        if self.bounded {
            let both = scaled.zip(point);
            both.map(|(x, &near)| nearest(unfold(x), near)).collect()
        } else {
            scaled.collect()
        }
    }
}

fn centre(range: &Range) -> f64 {
    (range.low + range.high) / 2.0
}

fn width(range: &Range) -> f64 {
    range.high - range.low
}

/// Folds a coordinate into [-1/2, 1/2].
fn fold(x: f64) -> f64 {
    if x.abs() <= STRAIGHT {
        return x;
    }
    let along = (x + EDGE).rem_euclid(4.0 * EDGE);
    let mirrored = along.min(4.0 * EDGE - along) - EDGE;
    let depth = EDGE - mirrored.abs();
    if depth >= 2.0 * MARGIN {
        return mirrored;
    }
    (0.5 - depth * depth / (4.0 * MARGIN)).copysign(mirrored)
}

/// The coordinate between the edges that `fold` maps to x.
fn unfold(x: f64) -> f64 {
    if x.abs() <= STRAIGHT {
        return x;
    }
    let depth = 2.0 * (MARGIN * (0.5 - x.abs()).max(0.0)).sqrt();
    (EDGE - depth).copysign(x)
}

/// The mirror image of a coordinate that is nearest to another one.
fn nearest(x: f64, near: f64) -> f64 {
    let [one, other] = [x, 2.0 * EDGE - x].map(|image| {
        let turns = ((near - image) / (4.0 * EDGE)).round();
        image + turns * 4.0 * EDGE
    });
    if (one - near).abs() <= (other - near).abs() {
        one
    } else {
        other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folded_values_stay_inside_and_unfold() {
        for step in -400..=400 {
            let x = f64::from(step) / 100.0;
            let folded = fold(x);
            assert!(folded.abs() <= 0.5, "{x} became {folded}");
            assert!((fold(unfold(folded)) - folded).abs() < 1e-12, "{x}");
            if x.abs() <= EDGE {
                assert!((unfold(folded) - x).abs() < 1e-7, "{x} did not unfold");
            }
        }
    }

    #[test]
    fn the_nearest_image_folds_to_the_same_value() {
        for step in -400..=400 {
            let near = f64::from(step) / 100.0;
            for x in [-0.54, -0.2, 0.0, 0.4, 0.55] {
                let image = nearest(x, near);
                assert!((fold(image) - fold(x)).abs() < 1e-12, "{x} near {near}");
                assert!(
                    (image - near).abs() <= 2.0 * EDGE + 1e-12,
                    "{x} near {near}"
                );
            }
        }
    }

    #[test]
    fn folding_is_smooth() {
        let slope = |x: f64| (fold(x + 1e-6) - fold(x - 1e-6)) / 2e-6;
        assert!((slope(STRAIGHT) - 1.0).abs() < 1e-4);
        assert!(slope(EDGE).abs() < 1e-4);
        assert!(slope(-EDGE).abs() < 1e-4);
    }
}
