//! `hexzero-analyze`, modelled on Leela Zero's `lz-analyze` and KataGo's `kata-analyze`, as text and as drawings.

use std::io::{self, Write};
use std::thread::sleep;
use std::time::{Duration, Instant};

use hexzero_engine::Engine;
use hexzero_engine::analysis::{Analysis, AnalysisRun, MIN_INTERVAL, Step};
use hexzero_games::{Action, Position};
use hexzero_search::Limits;

use super::analysis_request::{AnalysisRequest, Form};
use super::graphics::drawing;
use super::protocol::{done, reply};
use super::session::GtpSession;

/// The interval at which an analysis whose search has ended checks for the next line.
const REST: Duration = Duration::from_millis(10);

/// An analysis that continues until the next line, or until the move that it `plays` is found.
#[derive(Debug)]
pub(super) struct AnalysisUnderWay {
    pub request: AnalysisRequest,
    /// The position to analyse, if not the present one.
    pub other: Option<Position>,
    /// The moves left out.
    pub without: Vec<Action>,
    /// Whether the engine then plays its move; the next line is answered after that.
    pub plays: bool,
    /// The id of the command.
    pub id: Option<String>,
}

impl AnalysisUnderWay {
    /// Writes updates, at least one, while `wait` waits for the next line, and then the end of the reply. Once the
    /// search has ended, the last update is repeated.
    pub fn answer_while<T>(
        self,
        engine: &mut Engine,
        limits: Limits,
        output: &mut (impl Write + Send),
        wait: impl FnOnce() -> T,
    ) -> io::Result<T> {
        let mut run = self.run(limits);
        let Self { request, other, without, id, .. } = self;
        let mut written = None;
        let mut rests_until = None;
        let analyse = |engine: &mut Engine| {
            let next = engine.while_waiting(
                |engine| {
                    let now = Instant::now();
                    if let Some(end) = rests_until.filter(|&end| now < end) {
                        sleep(REST.min(end - now));
                        return true;
                    }
                    let analysis = match run.step(engine) {
                        Step::Quiet => return true,
                        Step::Update(analysis) => analysis,
                        Step::Done(analysis) => {
                            rests_until = Some(now + request.every);
                            analysis
                        }
                    };
                    let told = tell(&request, engine, &analysis, output);
                    written.insert(told).is_ok()
                },
                wait,
            );
            let told = match written.take() {
                Some(told) => told,
                None => {
                    let analysis = run.stopped(engine);
                    tell(&request, engine, &analysis, output)
                }
            };
            told.map(|()| next)
        };
        let next = match other.or_else(|| (!without.is_empty()).then(|| engine.position().clone())) {
            None => analyse(engine)?,
            Some(position) => engine.aside(position, &without, analyse)?,
        };
        match request.form {
            Form::Shares | Form::TenThousandths => writeln!(output)?,
            Form::Graphics => write!(output, "{}", reply(id.as_deref(), done()).text)?,
        }
        output.flush()?;
        Ok(next)
    }

    /// Chooses a move, with updates meanwhile, and writes it as the end of the reply.
    pub fn move_while_telling(self, session: &mut GtpSession, output: &mut (impl Write + Send)) -> io::Result<()> {
        let request = &self.request;
        let mut told = Ok(());
        let restricted = (!self.without.is_empty()).then(|| (session.engine.position().clone(), &self.without[..]));
        let chosen = session.think(restricted, |engine, run| {
            let analysis = self.run(Limits::default());
            // The analysis itself must not search: it would use the game's solver, which weak levels do without.
            let mut tell_so_far = |engine: &mut Engine| {
                let analysis = analysis.so_far(engine);
                tell(request, engine, &analysis, output)
            };
            while run.step(engine, request.every.max(MIN_INTERVAL)) {
                told = tell_so_far(engine);
            }
            if told.is_ok() {
                told = tell_so_far(engine);
            }
        });
        told?;
        match chosen {
            Ok(chosen) => writeln!(output, "play {}\n", session.chosen.insert(chosen).name),
            Err(error) => writeln!(output, "play {error}\n"),
        }
    }

    fn run(&self, limits: Limits) -> AnalysisRun {
        let AnalysisRequest { every, moves, ownership, .. } = self.request;
        AnalysisRun::new(limits, moves, ownership, Some(every))
    }

    /// Returns the beginning of the reply, which continues until the next line.
    pub fn beginning(&self) -> String {
        match self.request.form {
            Form::Shares | Form::TenThousandths => format!("={}\n", self.id.as_deref().unwrap_or_default()),
            Form::Graphics => String::new(),
        }
    }
}

/// Writes an update.
fn tell(request: &AnalysisRequest, engine: &Engine, analysis: &Analysis, output: &mut impl Write) -> io::Result<()> {
    match request.form {
        Form::Shares => writeln!(output, "{}", analysis.to_info(request.root_info))?,
        Form::TenThousandths => writeln!(output, "{}", analysis.to_leela_info())?,
        Form::Graphics => write!(output, "{}", drawing(engine).unwrap_or_default())?,
    }
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gtp::Thinking;
    use hexzero_engine::model::LoadedModel;
    use hexzero_games::game_named;
    use hexzero_search::Level;

    /// The solver of Gale knows the winning moves, which a weak level may miss.
    #[test]
    fn updates_do_not_change_the_move_of_a_weak_level() {
        let chosen = |line: &str, seed: u64| {
            let engine = Engine::new(game_named("gale").unwrap(), 4, LoadedModel::uniform()).unwrap();
            let (limits, level) = (Limits::default(), Level::ALL[0]);
            let thinking = Thinking { without_clock: limits, with_clock: limits, ponder: false, level, seed };
            let reply = GtpSession::new(engine, thinking).answer(line).unwrap();
            reply.text.split_whitespace().last().map(str::to_owned)
        };
        for seed in 0..10 {
            assert_eq!(chosen("genmove b", seed), chosen("kata-genmove_analyze b 100", seed), "seed {seed}");
        }
    }
}
