//! Eigenvalues and eigenvectors of a symmetric matrix: Householder's tridiagonal form, then QL steps with implicit shifts
//! (Golub and Van Loan, "Matrix Computations", chapter 8).
//!
//! Implemented here because the results must not depend on a machine's instruction set. Matrices are square and stored row by
//! row; eigenvectors are rows, so that all inner loops access memory sequentially.

use serde::{Deserialize, Serialize};

/// Eigenvalues and, as rows, their eigenvectors.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Eigen {
    /// Unordered.
    pub(super) values: Vec<f64>,
    /// Orthonormal.
    pub(super) vectors: Vec<f64>,
}

/// No matrix of finite numbers needs this many QL steps for an eigenvalue.
const MOST_STEPS: usize = 60;

impl Eigen {
    /// Of the identity.
    pub(super) fn identity(n: usize) -> Self {
        let mut vectors = vec![0.0; n * n];
        vectors.iter_mut().step_by(n + 1).for_each(|x| *x = 1.0);
        Self {
            values: vec![1.0; n],
            vectors,
        }
    }

    /// Of a symmetric matrix.
    pub(super) fn of(matrix: &[f64], n: usize) -> Self {
        let mut matrix = matrix.to_vec();
        let mut eigen = Self::identity(n);
        let mut off_diagonal = tridiagonal(&mut matrix, &mut eigen);
        for place in 0..n {
            for _ in 0..MOST_STEPS {
                let end = block_end(&eigen.values, &off_diagonal, place);
                if end == place {
                    break;
                }
                ql_step(&mut eigen, &mut off_diagonal, place, end);
            }
        }
        eigen
    }
}

/// Reduces the matrix to tridiagonal form by Householder reflections. Sets the values to its diagonal and the vectors to the product
/// of the reflections; returns its off-diagonal. The matrix is overwritten: a finished row holds its reflector.
fn tridiagonal(matrix: &mut [f64], eigen: &mut Eigen) -> Vec<f64> {
    let n = eigen.values.len();
    let (mut off_diagonal, mut strengths) = (vec![0.0; n], vec![0.0; n]);
    let mut image = vec![0.0; n];
    for done in 0..n - 1 {
        let (row, rest) = matrix[done * n..].split_at_mut(n);
        eigen.values[done] = row[done];
        let reflector = &mut row[done + 1..];
        (off_diagonal[done], strengths[done]) = make_reflector(reflector);
        if strengths[done] > 0.0 {
            reflect_both_sides(rest, n, reflector, strengths[done], &mut image[done + 1..]);
        }
    }
    eigen.values[n - 1] = matrix[n * n - 1];
    for done in (0..n - 1).rev() {
        let reflector = &matrix[done * n + done + 1..][..n - done - 1];
        reflect_rows(&mut eigen.vectors, n, reflector, strengths[done]);
    }
    off_diagonal
}

/// Turns a vector into the reflector m for which I - strength m m' maps it to (length, 0, 0, ...); returns length and
/// strength.
fn make_reflector(vector: &mut [f64]) -> (f64, f64) {
    let first = vector[0];
    let rest: f64 = dot(&vector[1..], &vector[1..]);
    if rest == 0.0 {
        return (first, 0.0);
    }
    let length = -(first * first + rest).sqrt().copysign(first);
    vector[0] = first - length;
    (length, 2.0 / (vector[0] * vector[0] + rest))
}

/// Applies a reflection from both sides to the lower right part of a symmetric matrix. `image` is scratch space of the reflector's
/// length.
fn reflect_both_sides(
    rows: &mut [f64],
    n: usize,
    reflector: &[f64],
    strength: f64,
    image: &mut [f64],
) {
    let from = n - reflector.len();
    image.fill(0.0);
    for (row, &m) in rows.chunks_exact(n).zip(reflector) {
        add_scaled(image, strength * m, &row[from..]);
    }
    let along = strength / 2.0 * dot(image, reflector);
    add_scaled(image, -along, reflector);
    let both = reflector.iter().zip(&*image);
    for (row, (&m, &i)) in rows.chunks_exact_mut(n).zip(both.clone()) {
        for (x, (reflector, image)) in row[from..].iter_mut().zip(both.clone()) {
            *x -= m * image + i * reflector;
        }
    }
}

/// Applies a reflection to the rows of the lower right part of a matrix.
fn reflect_rows(matrix: &mut [f64], n: usize, reflector: &[f64], strength: f64) {
    let from = n - reflector.len();
    for row in matrix.chunks_exact_mut(n).skip(from) {
        let row = &mut row[from..];
        let along = strength * dot(row, reflector);
        add_scaled(row, -along, reflector);
    }
}

/// The end of the block that begins at `place`: the first negligible off-diagonal entry separates it from the rest.
fn block_end(values: &[f64], off_diagonal: &[f64], place: usize) -> usize {
    let apart = |at: &usize| {
        let near = values[*at].abs() + values[at + 1].abs();
        off_diagonal[*at].abs() <= f64::EPSILON * near
    };
    (place..values.len() - 1)
        .find(apart)
        .unwrap_or(values.len() - 1)
}

/// A QL step with an implicit shift on the block `from..=to`: reduces the off-diagonal entry at `from`.
fn ql_step(eigen: &mut Eigen, off_diagonal: &mut [f64], from: usize, to: usize) {
    let n = eigen.values.len();
    let values = &mut eigen.values;
    let half = (values[from + 1] - values[from]) / (2.0 * off_diagonal[from]);
    let root = (half * half + 1.0).sqrt().copysign(half);
    let mut bulge = values[to] - values[from] + off_diagonal[from] / (half + root);
    let (mut sine, mut cosine, mut shift) = (1.0, 1.0, 0.0);
    for at in (from..to).rev() {
        let (carried, kept) = (sine * off_diagonal[at], cosine * off_diagonal[at]);
        let length = (carried * carried + bulge * bulge).sqrt();
        off_diagonal[at + 1] = length;
        if length == 0.0 {
            // The block has split.
            values[at + 1] -= shift;
            off_diagonal[to] = 0.0;
            return;
        }
        (sine, cosine) = (carried / length, bulge / length);
        bulge = values[at + 1] - shift;
        let turned = (values[at] - bulge) * sine + 2.0 * cosine * kept;
        shift = sine * turned;
        values[at + 1] = bulge + shift;
        bulge = cosine * turned - kept;
        rotate(&mut eigen.vectors[at * n..(at + 2) * n], sine, cosine);
    }
    values[from] -= shift;
    off_diagonal[from] = bulge;
    off_diagonal[to] = 0.0;
}

/// Rotates two adjacent rows.
fn rotate(rows: &mut [f64], sine: f64, cosine: f64) {
    let (upper, lower) = rows.split_at_mut(rows.len() / 2);
    for (x, y) in upper.iter_mut().zip(lower) {
        (*x, *y) = (cosine * *x - sine * *y, sine * *x + cosine * *y);
    }
}

/// Inner product, summed in order.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Adds a multiple of a vector.
pub(super) fn add_scaled(to: &mut [f64], factor: f64, vector: &[f64]) {
    for (x, y) in to.iter_mut().zip(vector) {
        *x += factor * y;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use streams::{normal, stream};

    fn check(matrix: &[f64], n: usize) {
        let eigen = Eigen::of(matrix, n);
        let largest = matrix.iter().fold(1e-300_f64, |most, x| most.max(x.abs()));
        for (value, vector) in eigen.values.iter().zip(eigen.vectors.chunks(n)) {
            for (row, x) in matrix.chunks(n).zip(vector) {
                let off = (dot(row, vector) - value * x) / largest;
                assert!(off.abs() < 1e-13 * n as f64, "off by {off} of {n}");
            }
        }
        for (i, a) in eigen.vectors.chunks(n).enumerate() {
            for (j, b) in eigen.vectors.chunks(n).enumerate() {
                let expected = f64::from(u8::from(i == j));
                assert!((dot(a, b) - expected).abs() < 1e-13 * n as f64);
            }
        }
    }

    #[test]
    fn random_matrices_are_decomposed() {
        for n in [1, 2, 3, 10, 37] {
            let mut rng = stream(7, &[n as u64]);
            let mut matrix = vec![0.0; n * n];
            for _ in 0..n {
                let x: Vec<f64> = (0..n).map(|_| normal(&mut rng)).collect();
                for (row, &factor) in matrix.chunks_mut(n).zip(&x) {
                    add_scaled(row, factor, &x);
                }
            }
            check(&matrix, n);
        }
    }

    #[test]
    fn special_matrices() {
        check(&Eigen::identity(5).vectors, 5);
        check(&[0.0; 16], 4);
        check(&[1.0; 36], 6);
        check(&[1e12, 0.0, 1.0, 0.0, 1e-12, 0.0, 1.0, 0.0, 1.0], 3);
    }
}
