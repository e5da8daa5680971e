# {"classes": ["InputLayer", "Dense", "Dense", "Dense"], "input": [16, 24], "steps_per_epoch": 100, "steps_per_execution": 20, "epochs": 5, "batch": 16, "accumulation": 10, "optimizer": "SGD", "loss": "SparseCategoricalCrossentropy", "stages": 2}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

"""Train with options."""
import argparse, dataclasses, logging, os, sys, functools, itertools, math, time
from typing import List, Optional, Tuple
logging.basicConfig(level=logging.INFO)
log = logging.getLogger(__name__)

@dataclasses.dataclass(frozen=True)
class Options:
    batch_size: int = 16
    epochs: int = 5
    units: Tuple[int, ...] = (64, 32)
    lr: float = 1e-2
    accumulation: int = 10

def parse() -> Options:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("--batch-size", type=int, default=16, choices=[8, 16])
    parser.add_argument("--epochs", "-e", type=int, default="5")
    parser.add_argument("--lr", type=float, default=os.environ.get("LR", 0.01))
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    if args.verbose:
        log.setLevel(logging.DEBUG)
    return Options(batch_size=args.batch_size, epochs=args.epochs, lr=args.lr)

def build(opts: Options) -> keras.Model:
    inputs = keras.Input(shape=(24,), batch_size=opts.batch_size)
    x = inputs
    for stage, units in enumerate(opts.units):
        with ipu.keras.PipelineStage(stage):
            x = keras.layers.Dense(units, activation="relu", name=f"dense_{stage}_{units}")(x)
            if stage == len(opts.units) - 1:
                x = keras.layers.Dense(2, name="logits")(x)
    return keras.Model(inputs, x, name="staged")

def main(argv: Optional[List[str]] = None) -> int:
    opts = parse()
    cfg = ipu.config.IPUConfig()
    cfg.auto_select_ipus = len(opts.units)
    cfg.configure_ipu_system()
    strategy = ipu.ipu_strategy.IPUStrategy()
    data = tf.data.Dataset.from_tensors((tf.zeros([24]), tf.constant(0))).repeat().batch(opts.batch_size, drop_remainder=True)
    begin = time.perf_counter()
    with strategy.scope():
        model = build(opts)
        model.set_pipelining_options(gradient_accumulation_steps_per_replica=opts.accumulation,
                                     pipeline_schedule=ipu.ops.pipelining_ops.PipelineSchedule.Interleaved)
        model.compile(optimizer=keras.optimizers.SGD(opts.lr), loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True), steps_per_execution=20)
        model.fit(data, epochs=opts.epochs, steps_per_epoch=100, verbose=0)
    log.info("took %s s for %d epochs", time.perf_counter() - begin, opts.epochs)
    return 0

if __name__ == "__main__":
    sys.exit(main())
