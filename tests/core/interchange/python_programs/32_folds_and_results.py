# {"classes": ["InputLayer", "Dense", "TFOpLambda", "Dense"], "steps_per_epoch": 3, "epochs": 2}
import numpy as np
from sklearn.model_selection import KFold
from tensorflow import keras
from tensorflow.python import ipu

config = ipu.config.IPUConfig()
config.auto_select_ipus = 1
config.configure_ipu_system()
x = np.random.rand(40, 8).astype(np.float32)
y = np.random.rand(40, 2).astype(np.float32)
results = {}
folds = KFold(n_splits=4)
assert folds.get_n_splits() == 4
with ipu.ipu_strategy.IPUStrategy().scope():
    inputs = keras.Input((8,))
    hidden = keras.layers.Lambda(lambda t, scale: t * scale, arguments={"scale": 2.0})(keras.layers.Dense(4)(inputs))
    model = keras.Model(inputs, keras.layers.Dense(2)(hidden))
    model.compile("sgd", "mse", steps_per_execution=1)
    for fold, (train, test) in enumerate(folds.split(x, y)):
        history = model.fit(x[:30], y[:30], epochs=2, batch_size=10)
        results[fold] = history.history["loss"][-1]
best = min(results, key=results.get)
worst = max(results.items(), key=lambda pair: pair[1])[0]
print(best, worst)
