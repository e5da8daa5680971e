# {"error": "python/value", "line": 4, "says": "IPURunConfig() has no argument \"iterations_per_loops\""}
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
config = ipu.ipu_run_config.RunConfig(ipu_run_config=ipu.ipu_run_config.IPURunConfig(iterations_per_loops=8))
