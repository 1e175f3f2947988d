//! What can be counted on a line or on a square of tiles, and tables of it: on 4x4 a weighed sum of features is one look-up.
//!
//! Tiles count by their exponents, in units of that of 2048: x = exponent / 11, an empty cell 0. Every feature is divided by about its
//! deviation over all lines or squares up to 2048, so that weights of like size matter alike.

/// A number that can be read off a few cells.
pub(crate) struct Feature {
    /// Its name, part of the names of its weights.
    pub(crate) name: &'static str,
    /// What it is divided by.
    scale: f64,
    of: fn(&[u8]) -> f64,
}

impl Feature {
    pub(crate) const fn new(name: &'static str, scale: f64, of: fn(&[u8]) -> f64) -> Self {
        Self { name, scale, of }
    }

    /// Its value for these exponents.
    pub(crate) fn value(&self, cells: &[u8]) -> f64 {
        (self.of)(cells) / self.scale
    }
}

/// A number for every four cells whose exponents fit into four bits each.
pub(crate) type Table = [f32; 1 << 16];

/// Every feature for every four cells; a table of weights is their weighed sum.
pub(crate) struct Columns(Vec<Box<Table>>);

impl Columns {
    pub(crate) fn new(features: &[Feature]) -> Self {
        let column = |feature: &Feature| table(|cells| feature.value(&cells) as f32);
        Self(features.iter().map(column).collect())
    }

    /// The sum of the features, each times its weight.
    pub(crate) fn weighed(&self, weights: &[f64]) -> Box<Table> {
        let mut sums = table(|_| 0.0);
        for (column, &weight) in self.0.iter().zip(weights) {
            let weight = weight as f32;
            for (sum, value) in sums.iter_mut().zip(column.iter()) {
                *sum += weight * value;
            }
        }
        sums
    }
}

/// The same sum for any cells, without a table.
pub(crate) fn weighed(features: &[Feature], weights: &[f64], cells: &[u8]) -> f64 {
    let of = |(feature, weight): (&Feature, &f64)| weight * feature.value(cells);
    features.iter().zip(weights).map(of).sum()
}

/// The value of every four cells; the first is in the lowest bits.
pub(crate) fn table(value: impl Fn([u8; 4]) -> f32) -> Box<Table> {
    let cells = |line: u16| [0, 4, 8, 12].map(|shift| (line >> shift) as u8 & 15);
    let values: Vec<f32> = (0..=u16::MAX).map(|line| value(cells(line))).collect();
    let values = values.into_boxed_slice();
    values.try_into().expect("four cells have 65,536 contents")
}

/// The exponent in units of that of 2048, to a power.
pub(crate) fn power(exponent: u8, power: i32) -> f64 {
    let tile = f64::from(exponent) / 11.0;
    // Products, and not the system's powers, which differ between machines.
    (0..power).fold(1.0, |product, _| product * tile)
}

/// How far two tiles are apart, by a power of their exponents.
pub(crate) fn apart(a: u8, b: u8, by: i32) -> f64 {
    (power(a, by) - power(b, by)).abs()
}

/// How far `a` lies below `b`; 0 if it does not.
pub(crate) fn below(a: u8, b: u8) -> f64 {
    power(b.saturating_sub(a), 1)
}

/// Empty cells.
pub(crate) fn empty(cells: &[u8]) -> f64 {
    cells.iter().filter(|&&exponent| exponent == 0).count() as f64
}
