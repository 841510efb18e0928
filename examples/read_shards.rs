//! Reads the games of a training run and turns them into what a learner needs: inputs, policy targets, results.
//!
//! A shard has the moves and the results of the searches; replaying gives the positions.
//!
//! ```sh
//! hexzero train --minutes 1 --no-matches --run runs/mine
//! cargo run --release --example read_shards -- runs/mine/games/*.games
//! ```

use std::error::Error;
use std::path::Path;

use hexzero::games::game_named;
use hexzero::replay::Shard;

fn main() -> Result<(), Box<dyn Error>> {
    for path in std::env::args().skip(1) {
        let shard = Shard::read(Path::new(&path))?;
        let game = game_named(&shard.game)?;
        let view = &game.view;
        let (mut samples, mut results) = (0, [0; 3]);
        for record in &shard.records {
            let mut position = game.start(usize::from(record.size))?;
            let cells = position.topology().cells();
            for (turn, played) in record.turns.iter().enumerate() {
                // Only full searches have a target for the policy.
                if let Some(visits) = record.policy(turn) {
                    let mut inputs = vec![0.0; cells * view.cell_inputs];
                    let mut globals = vec![0.0; view.global_inputs];
                    position.encode(&mut inputs, &mut globals);
                    // The policy in the mover's frame, as the network gives it.
                    let mut policy = vec![0.0; position.actions()];
                    let sum: u32 = visits.iter().map(|(_, weight)| weight).sum();
                    for (action, weight) in visits {
                        policy[position.network_action(*action, 0)] = *weight as f32 / sum as f32;
                    }
                    // 1 for a win of the player to move, 0 for a draw, -1 for a loss.
                    let result = record.outcome.value_for(position.to_move());
                    samples += 1;
                    results[(result + 1.0) as usize] += 1;
                    if samples == 1 {
                        println!(
                            "inputs {}×{} and {}, actions {}",
                            cells,
                            view.cell_inputs,
                            globals.len(),
                            policy.len()
                        );
                        println!("first target: {}", describe(&policy, &inputs, result));
                    }
                }
                position.play(played.action);
            }
        }
        println!(
            "{path}: {} games, {samples} samples, {} won, {} drawn, {} lost by the player to move",
            shard.records.len(),
            results[2],
            results[1],
            results[0]
        );
    }
    Ok(())
}

fn describe(policy: &[f32], inputs: &[f32], result: f32) -> String {
    let most = policy.iter().copied().fold(0.0, f32::max);
    format!(
        "the best move has {:.0} % of the visits, {} inputs are set, result {result}",
        100.0 * most,
        inputs.iter().filter(|&&input| input != 0.0).count()
    )
}
