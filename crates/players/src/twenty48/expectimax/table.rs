//! What expectimax remembers: values of boards after a move, by the depth they were searched to.

use games::twenty48::Packed;

/// Boards that share a place push each other out; nothing ever grows.
#[derive(Clone)]
pub(super) struct Table {
    places: Vec<Entry>,
}

#[derive(Clone, Copy)]
struct Entry {
    board: Packed,
    depth: u32,
    value: f32,
}

impl Table {
    /// A table of 2^bits places.
    pub(super) fn new(bits: u32) -> Self {
        // No board after a move is empty, so an empty board marks an empty place.
        let nothing = Entry {
            board: Packed(0),
            depth: 0,
            value: 0.0,
        };
        Self {
            places: vec![nothing; 1 << bits],
        }
    }

    fn place(&self, board: Packed, depth: u32) -> usize {
        let mixed = (board.0 ^ u64::from(depth)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> (64 - self.places.len().ilog2())) as usize
    }

    /// The value of this board searched to exactly this depth, if it is still there.
    pub(super) fn get(&self, board: Packed, depth: u32) -> Option<f32> {
        let entry = &self.places[self.place(board, depth)];
        (entry.board == board && entry.depth == depth).then_some(entry.value)
    }

    pub(super) fn put(&mut self, board: Packed, depth: u32, value: f32) {
        let place = self.place(board, depth);
        self.places[place] = Entry {
            board,
            depth,
            value,
        };
    }
}
