//! Larger networks that begin as trained smaller ones.

use hexzero::board::rhombus;
use hexzero::network::{Architecture, Boards, Heads, Network, grown};

use crate::games::cachex;
use crate::network::{assert_close, random, random_network, rng, values};

#[test]
fn grown_networks_answer_as_the_small_one() {
    let view = &cachex().view;
    let small = Architecture { blocks: 3, channels: 16, ..Architecture::default() };
    let mut rng = rng(7);
    let (network, parameters) = random_network(&small, view, &mut rng);
    let boards = Boards::new(&[rhombus(3), rhombus(5)]);
    let cells = random(&mut rng, &[9 + 25, view.cell_inputs]);
    let globals = random(&mut rng, &[2, view.global_inputs]);
    let answers = |network: &Network| {
        let Heads { cell_policy, outcome, ownership, moves_left, .. } =
            network.forward(&cells, &globals, &boards).unwrap();
        [cell_policy, outcome, ownership, moves_left].iter().flat_map(values).collect::<Vec<f32>>()
    };
    let expected = answers(&network);
    for larger in [
        Architecture { blocks: 6, ..small.clone() },
        Architecture { channels: 48, ..small.clone() },
        Architecture { blocks: 4, channels: 32, policy_channels: 32, value_channels: 64, ..small.clone() },
    ] {
        assert!(small.can_grow_to(&larger) && !larger.can_grow_to(&small));
        let tensors = grown(&parameters.to_named().unwrap(), &larger, view, &mut rng).unwrap();
        let (network, _) = Network::from_named(&larger, view, &tensors).unwrap();
        assert_close(&answers(&network), &expected, 1e-4, &larger.to_string());
    }
    assert!(!small.can_grow_to(&Architecture { pool_every: 3, blocks: 6, ..small.clone() }), "pools elsewhere");
}
