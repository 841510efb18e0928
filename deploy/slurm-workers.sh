#!/bin/bash
# Workers on the nodes of a Slurm cluster, one a task:  sbatch --array=1-40 deploy/slurm-workers.sh
# HEXZERO_CLUSTER holds the broker's address and has to reach the job (sbatch --export=ALL does that).
#SBATCH --job-name=hexzero
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=16
#SBATCH --mem=4G
#SBATCH --time=12:00:00
#SBATCH --requeue
# Two minutes before the end: unfinished games are dealt out to others.
#SBATCH --signal=INT@120
set -euo pipefail
: "${HEXZERO_CLUSTER:?set it to the address of the broker, such as nats://worker:PASSWORD@learner:4222}"
name="slurm-${SLURM_JOB_ID:-0}-${SLURM_ARRAY_TASK_ID:-0}"
srun hexzero cluster worker --cluster "$HEXZERO_CLUSTER" --threads "${SLURM_CPUS_PER_TASK:-1}" --name "$name"
