# {"classes": ["InputLayer", "Dense", "Dense"], "input": [null, 30], "epochs": 5}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()

import pandas as pd
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from my_utils import plot_history, setup_logging
setup_logging("run.log")
df = pd.read_csv("data.csv")
X = df.drop(columns=["label"]).values
y = df["label"].values
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.2)
scaler = StandardScaler()
X_train = scaler.fit_transform(X_train)
with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(16, activation="relu", input_shape=(30,)), keras.layers.Dense(1, activation="sigmoid")])
    model.compile(optimizer="adam", loss="binary_crossentropy", metrics=["accuracy"])
    history = model.fit(X_train, y_train, epochs=5, batch_size=32, validation_data=(X_test, y_test))
plot_history(history)
for key, values in history.history.items():
    print(key, values[-1])
