//! What threats will come to: traps that the next stone can make, and who wins when the columns fill up.
//!
//! A player who is to move is trapped if no stone of its own wins and none prevents that the other wins with the next.
//!
//! When the columns fill up, the opponent of who has just moved begins. Whoever can complete a line does. Whoever must prevent a line does,
//! unless there are two. Otherwise a stone goes into the leftmost column in which neither player wins on top of it, or, if there is none, the
//! leftmost in which the other does not. Whoever has none of these loses. Threats are those of the position: stones that are laid while
//! columns fill up make no new ones.

use games::connect::{Bits, Connect};

use super::sets::COMING;

/// Looks at positions of one board.
pub(super) struct Outlook<'a, B> {
    game: &'a Connect<B>,
    /// Cells of all rows but the lowest.
    off_floor: B,
}

impl<'a, B: Bits> Outlook<'a, B> {
    pub(super) fn new(game: &'a Connect<B>, off_floor: B) -> Self {
        Self { game, off_floor }
    }

    /// The features after `traps`, given stones and threats of who has just moved and of the opponent.
    pub(super) fn coming(
        &self,
        [own, other]: [B; 2],
        [mine, its]: [B; 2],
        won: bool,
    ) -> [u8; COMING - 1] {
        let lost = !won && !(its & self.game.on_top(own | other)).is_empty();
        if won || lost {
            return [0, 0, 0, 0, u8::from(won), u8::from(lost)];
        }
        let one_or_more = |traps| [u8::from(traps == 1), u8::from(traps > 1)];
        let [own_one, own_more] = one_or_more(self.traps([own, other], its));
        let [its_one, its_more] = one_or_more(self.traps([other, own], mine));
        let winner = self.winner_of_filling(own | other, [its, mine]);
        let [filled_lost, filled_won] = [0, 1].map(|one| u8::from(winner == Some(one)));
        [
            own_one,
            own_more,
            its_one,
            its_more,
            filled_won,
            filled_lost,
        ]
    }

    /// The cells below these.
    fn below(&self, cells: B) -> B {
        (cells & self.off_floor) >> 1
    }

    /// Is the opponent of who has just moved trapped, given playable cells and threats of both?
    pub(super) fn is_trapped(&self, playable: B, [mine, its]: [B; 2]) -> bool {
        if playable.is_empty() || !(its & playable).is_empty() {
            return false;
        }
        let wins = mine & playable;
        let sound = playable & !self.below(mine);
        match wins.count() {
            0 => sound.is_empty(),
            1 => (wins & sound).is_empty(),
            _ => true,
        }
    }

    /// How many moves trap the other player, who has these threats. A move must prevent that the other wins at once.
    fn traps(&self, [own, other]: [B; 2], its: B) -> u32 {
        let occupied = own | other;
        let playable = self.game.on_top(occupied);
        let wins = its & playable;
        let mut left = match wins.count() {
            0 => playable & !self.below(its),
            1 => wins & !self.below(its),
            _ => B::ZERO,
        };
        let mut traps = 0;
        while !left.is_empty() {
            let cell = B::bit(left.lowest());
            left &= !cell;
            let (after, occupied) = (own | cell, occupied | cell);
            let threats = self.game.completing(after) & !occupied;
            let playable = self.game.on_top(occupied);
            traps += u32::from(self.is_trapped(playable, [threats, its & !cell]));
        }
        traps
    }

    /// Who wins when the columns fill up, 0 for the player who is to move and whose threats come first.
    fn winner_of_filling(&self, mut occupied: B, threats: [B; 2]) -> Option<usize> {
        let mut mover = 0;
        loop {
            let playable = self.game.on_top(occupied);
            if playable.is_empty() {
                return None;
            }
            let (own, other) = (threats[mover], threats[1 - mover]);
            if !(own & playable).is_empty() {
                return Some(mover);
            }
            let wins = other & playable;
            let choice = match wins.count() {
                0 => {
                    let safe = playable & !self.below(other);
                    let better = safe & !self.below(own);
                    if better.is_empty() { safe } else { better }
                }
                1 => wins,
                _ => B::ZERO,
            };
            if choice.is_empty() {
                return Some(1 - mover);
            }
            occupied |= B::bit(choice.lowest());
            mover = 1 - mover;
        }
    }
}
