# {"options": {"matmuls.poplar_options": {"partialsType": "half", "availableMemoryProportion": "0.2"}, "convolutions.poplar_options": {"availableMemoryProportion": "0.3"}, "pooling.poplar_options": {"optimizeForSpeed": "true"}, "compilation_poplar_options": {"target.syncReplicasIndependently": "true"}}}
import numpy as np
from tensorflow import keras
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.convolutions.poplar_options.setdefault("availableMemoryProportion", "0.3")
cfg.matmuls.poplar_options.update(partialsType="half")
cfg.matmuls.poplar_options |= {"availableMemoryProportion": "0.2"}
cfg.pooling.poplar_options = dict(cfg.pooling.poplar_options, optimizeForSpeed="true")
cfg.compilation_poplar_options.update({"target.syncReplicasIndependently": "true"})
cfg.configure_ipu_system()
with ipu.ipu_strategy.IPUStrategy().scope():
    m = keras.Sequential([keras.layers.Dense(8, input_shape=(4,))])
    m.compile("sgd", "mse")
    m.fit(np.zeros((64, 4), "f4"), np.zeros((64, 8), "f4"), batch_size=8)
