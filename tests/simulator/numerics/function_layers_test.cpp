#include "tests/support/numerics/layer_probe.h"
#include "tests/support/numerics/random_operands.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <cmath>

using tests::valuesOf;

namespace {

/// A call of a TensorFlow function and what NumPy gives for it.
struct Call {
    std::string function;
    std::string arguments;
    std::vector<oracles::Values> inputs;
    std::vector<oracles::Values> expected;
};

} // namespace

/// Functions called on tensors of a model: their values are NumPy's, their gradients those of differences.
class FunctionLayersTest : public QObject {
    Q_OBJECT

private slots:
    void functionsGiveWhatNumPyGives_data() {
        QTest::addColumn<Call>("call");
        QTest::newRow("split into equal parts") << Call{
            "split",
            R"({"num_or_size_splits": 2, "axis": 1})",
            {valuesOf({2, 4, 3}, {0.898F, 1.55F,   -0.015F, -1.059F, -0.276F, -0.667F, -0.537F, 0.767F,
                                  -1.32F, 1.028F,  0.115F,  1.42F,   0.637F,  -1.189F, -0.928F, 1.159F,
                                  0.507F, -0.146F, 0.246F,  -1.45F,  -0.798F, 1.289F,  0.376F,  -0.407F})},
            {valuesOf({2, 2, 3}, {0.898F, 1.55F, -0.015F, -1.059F, -0.276F, -0.667F, 0.637F, -1.189F, -0.928F,
                                  1.159F, 0.507F, -0.146F}),
             valuesOf({2, 2, 3}, {-0.537F, 0.767F, -1.32F, 1.028F, 0.115F, 1.42F, 0.246F, -1.45F, -0.798F,
                                  1.289F, 0.376F, -0.407F})}};
        QTest::newRow("split into sizes") << Call{
            "split",
            R"({"num_or_size_splits": [1, 3], "axis": 1})",
            {valuesOf({2, 4, 3}, {0.898F, 1.55F,   -0.015F, -1.059F, -0.276F, -0.667F, -0.537F, 0.767F,
                                  -1.32F, 1.028F,  0.115F,  1.42F,   0.637F,  -1.189F, -0.928F, 1.159F,
                                  0.507F, -0.146F, 0.246F,  -1.45F,  -0.798F, 1.289F,  0.376F,  -0.407F})},
            {valuesOf({2, 1, 3}, {0.898F, 1.55F, -0.015F, 0.637F, -1.189F, -0.928F}),
             valuesOf({2, 3, 3},
                      {-1.059F, -0.276F, -0.667F, -0.537F, 0.767F, -1.32F, 1.028F, 0.115F, 1.42F, 1.159F,
                       0.507F, -0.146F, 0.246F, -1.45F, -0.798F, 1.289F, 0.376F, -0.407F})}};
        QTest::newRow("top_k") << Call{"top_k",
                                       R"({"k": 2})",
                                       {valuesOf({2, 4}, {0.5F, -1, 2, 1.5F, -3, -2, -4, -1})},
                                       {valuesOf({2, 2}, {2, 1.5F, -1, -2}), valuesOf({2, 2}, {2, 3, 3, 1})}};
        QTest::newRow("unstack") << Call{
            "unstack",
            R"({"axis": 2})",
            {valuesOf({2, 4, 3}, {0.898F, 1.55F,   -0.015F, -1.059F, -0.276F, -0.667F, -0.537F, 0.767F,
                                  -1.32F, 1.028F,  0.115F,  1.42F,   0.637F,  -1.189F, -0.928F, 1.159F,
                                  0.507F, -0.146F, 0.246F,  -1.45F,  -0.798F, 1.289F,  0.376F,  -0.407F})},
            {valuesOf({2, 4}, {0.898F, -1.059F, -0.537F, 1.028F, 0.637F, 1.159F, 0.246F, 1.289F}),
             valuesOf({2, 4}, {1.55F, -0.276F, 0.767F, 0.115F, -1.189F, 0.507F, -1.45F, 0.376F}),
             valuesOf({2, 4}, {-0.015F, -0.667F, -1.32F, 1.42F, -0.928F, -0.146F, -0.798F, -0.407F})}};
        QTest::newRow("tile") << Call{
            "tile",
            R"({"multiples": [1, 2, 3]})",
            {valuesOf({2, 4, 3}, {0.898F, 1.55F,   -0.015F, -1.059F, -0.276F, -0.667F, -0.537F, 0.767F,
                                  -1.32F, 1.028F,  0.115F,  1.42F,   0.637F,  -1.189F, -0.928F, 1.159F,
                                  0.507F, -0.146F, 0.246F,  -1.45F,  -0.798F, 1.289F,  0.376F,  -0.407F})},
            {valuesOf({2, 8, 9},
                      {0.898F,  1.55F,   -0.015F, 0.898F,  1.55F,   -0.015F, 0.898F,  1.55F,   -0.015F,
                       -1.059F, -0.276F, -0.667F, -1.059F, -0.276F, -0.667F, -1.059F, -0.276F, -0.667F,
                       -0.537F, 0.767F,  -1.32F,  -0.537F, 0.767F,  -1.32F,  -0.537F, 0.767F,  -1.32F,
                       1.028F,  0.115F,  1.42F,   1.028F,  0.115F,  1.42F,   1.028F,  0.115F,  1.42F,
                       0.898F,  1.55F,   -0.015F, 0.898F,  1.55F,   -0.015F, 0.898F,  1.55F,   -0.015F,
                       -1.059F, -0.276F, -0.667F, -1.059F, -0.276F, -0.667F, -1.059F, -0.276F, -0.667F,
                       -0.537F, 0.767F,  -1.32F,  -0.537F, 0.767F,  -1.32F,  -0.537F, 0.767F,  -1.32F,
                       1.028F,  0.115F,  1.42F,   1.028F,  0.115F,  1.42F,   1.028F,  0.115F,  1.42F,
                       0.637F,  -1.189F, -0.928F, 0.637F,  -1.189F, -0.928F, 0.637F,  -1.189F, -0.928F,
                       1.159F,  0.507F,  -0.146F, 1.159F,  0.507F,  -0.146F, 1.159F,  0.507F,  -0.146F,
                       0.246F,  -1.45F,  -0.798F, 0.246F,  -1.45F,  -0.798F, 0.246F,  -1.45F,  -0.798F,
                       1.289F,  0.376F,  -0.407F, 1.289F,  0.376F,  -0.407F, 1.289F,  0.376F,  -0.407F,
                       0.637F,  -1.189F, -0.928F, 0.637F,  -1.189F, -0.928F, 0.637F,  -1.189F, -0.928F,
                       1.159F,  0.507F,  -0.146F, 1.159F,  0.507F,  -0.146F, 1.159F,  0.507F,  -0.146F,
                       0.246F,  -1.45F,  -0.798F, 0.246F,  -1.45F,  -0.798F, 0.246F,  -1.45F,  -0.798F,
                       1.289F,  0.376F,  -0.407F, 1.289F,  0.376F,  -0.407F, 1.289F,  0.376F,  -0.407F})}};
        QTest::newRow("repeat") << Call{
            "repeat",
            R"({"repeats": 2, "axis": 1})",
            {valuesOf({2, 4, 3}, {0.898F, 1.55F,   -0.015F, -1.059F, -0.276F, -0.667F, -0.537F, 0.767F,
                                  -1.32F, 1.028F,  0.115F,  1.42F,   0.637F,  -1.189F, -0.928F, 1.159F,
                                  0.507F, -0.146F, 0.246F,  -1.45F,  -0.798F, 1.289F,  0.376F,  -0.407F})},
            {valuesOf({2, 8, 3}, {0.898F,  1.55F,   -0.015F, 0.898F,  1.55F,   -0.015F, -1.059F, -0.276F,
                                  -0.667F, -1.059F, -0.276F, -0.667F, -0.537F, 0.767F,  -1.32F,  -0.537F,
                                  0.767F,  -1.32F,  1.028F,  0.115F,  1.42F,   1.028F,  0.115F,  1.42F,
                                  0.637F,  -1.189F, -0.928F, 0.637F,  -1.189F, -0.928F, 1.159F,  0.507F,
                                  -0.146F, 1.159F,  0.507F,  -0.146F, 0.246F,  -1.45F,  -0.798F, 0.246F,
                                  -1.45F,  -0.798F, 1.289F,  0.376F,  -0.407F, 1.289F,  0.376F,  -0.407F})}};
        QTest::newRow("gather rows") << Call{
            "gather",
            R"({"indices": [2, 0, 2], "axis": 1})",
            {valuesOf({2, 4, 3}, {0.898F, 1.55F,   -0.015F, -1.059F, -0.276F, -0.667F, -0.537F, 0.767F,
                                  -1.32F, 1.028F,  0.115F,  1.42F,   0.637F,  -1.189F, -0.928F, 1.159F,
                                  0.507F, -0.146F, 0.246F,  -1.45F,  -0.798F, 1.289F,  0.376F,  -0.407F})},
            {valuesOf({2, 3, 3},
                      {-0.537F, 0.767F, -1.32F, 0.898F, 1.55F, -0.015F, -0.537F, 0.767F, -1.32F, 0.246F,
                       -1.45F, -0.798F, 0.637F, -1.189F, -0.928F, 0.246F, -1.45F, -0.798F})}};
        QTest::newRow("gather a table of indices") << Call{
            "gather",
            R"({"indices": [[1, 0], [3, 1]], "axis": 1})",
            {valuesOf({2, 4, 3}, {0.898F, 1.55F,   -0.015F, -1.059F, -0.276F, -0.667F, -0.537F, 0.767F,
                                  -1.32F, 1.028F,  0.115F,  1.42F,   0.637F,  -1.189F, -0.928F, 1.159F,
                                  0.507F, -0.146F, 0.246F,  -1.45F,  -0.798F, 1.289F,  0.376F,  -0.407F})},
            {valuesOf({2, 2, 2, 3},
                      {-1.059F, -0.276F, -0.667F, 0.898F,  1.55F,   -0.015F, 1.028F,  0.115F,
                       1.42F,   -1.059F, -0.276F, -0.667F, 1.159F,  0.507F,  -0.146F, 0.637F,
                       -1.189F, -0.928F, 1.289F,  0.376F,  -0.407F, 1.159F,  0.507F,  -0.146F})}};
        QTest::newRow("swapaxes") << Call{
            "swapaxes",
            R"({"axis1": 1, "axis2": -1})",
            {valuesOf({2, 4, 3}, {0.898F, 1.55F,   -0.015F, -1.059F, -0.276F, -0.667F, -0.537F, 0.767F,
                                  -1.32F, 1.028F,  0.115F,  1.42F,   0.637F,  -1.189F, -0.928F, 1.159F,
                                  0.507F, -0.146F, 0.246F,  -1.45F,  -0.798F, 1.289F,  0.376F,  -0.407F})},
            {valuesOf({2, 3, 4}, {0.898F,  -1.059F, -0.537F, 1.028F, 1.55F,   -0.276F, 0.767F,  0.115F,
                                  -0.015F, -0.667F, -1.32F,  1.42F,  0.637F,  1.159F,  0.246F,  1.289F,
                                  -1.189F, 0.507F,  -1.45F,  0.376F, -0.928F, -0.146F, -0.798F, -0.407F})}};
        QTest::newRow("moveaxis") << Call{
            "moveaxis",
            R"({"source": 1, "destination": -1})",
            {valuesOf({2, 4, 3}, {0.898F, 1.55F,   -0.015F, -1.059F, -0.276F, -0.667F, -0.537F, 0.767F,
                                  -1.32F, 1.028F,  0.115F,  1.42F,   0.637F,  -1.189F, -0.928F, 1.159F,
                                  0.507F, -0.146F, 0.246F,  -1.45F,  -0.798F, 1.289F,  0.376F,  -0.407F})},
            {valuesOf({2, 3, 4}, {0.898F,  -1.059F, -0.537F, 1.028F, 1.55F,   -0.276F, 0.767F,  0.115F,
                                  -0.015F, -0.667F, -1.32F,  1.42F,  0.637F,  1.159F,  0.246F,  1.289F,
                                  -1.189F, 0.507F,  -1.45F,  0.376F, -0.928F, -0.146F, -0.798F, -0.407F})}};
        QTest::newRow("broadcast_to") << Call{
            "broadcast_to",
            R"({"shape": [2, 4, 3]})",
            {valuesOf({2, 1, 3}, {0.898F, 1.55F, -0.015F, 0.637F, -1.189F, -0.928F})},
            {valuesOf({2, 4, 3}, {0.898F,  1.55F,   -0.015F, 0.898F,  1.55F,   -0.015F, 0.898F,  1.55F,
                                  -0.015F, 0.898F,  1.55F,   -0.015F, 0.637F,  -1.189F, -0.928F, 0.637F,
                                  -1.189F, -0.928F, 0.637F,  -1.189F, -0.928F, 0.637F,  -1.189F, -0.928F})}};
        QTest::newRow("roll") << Call{
            "roll",
            R"({"shift": [1, -1], "axis": [1, 2]})",
            {valuesOf({2, 4, 3}, {0.898F, 1.55F,   -0.015F, -1.059F, -0.276F, -0.667F, -0.537F, 0.767F,
                                  -1.32F, 1.028F,  0.115F,  1.42F,   0.637F,  -1.189F, -0.928F, 1.159F,
                                  0.507F, -0.146F, 0.246F,  -1.45F,  -0.798F, 1.289F,  0.376F,  -0.407F})},
            {valuesOf({2, 4, 3}, {0.115F,  1.42F,  1.028F, 1.55F,   -0.015F, 0.898F,  -0.276F, -0.667F,
                                  -1.059F, 0.767F, -1.32F, -0.537F, 0.376F,  -0.407F, 1.289F,  -1.189F,
                                  -0.928F, 0.637F, 0.507F, -0.146F, 1.159F,  -1.45F,  -0.798F, 0.246F})}};
        QTest::newRow("space_to_depth") << Call{
            "space_to_depth",
            R"({"block_size": 2})",
            {valuesOf({2, 2, 4, 4}, {0.074F,  0.217F,  0.36F,   -0.212F, 0.455F,  -1.26F,  -1.402F, -0.021F,
                                     0.883F,  0.788F,  0.407F,  1.407F,  0.74F,   1.169F,  1.312F,  -0.926F,
                                     0.026F,  -0.307F, -0.879F, -0.069F, -0.64F,  0.502F,  -0.45F,  0.312F,
                                     0.836F,  -0.402F, -0.164F, -1.021F, -1.307F, 0.55F,   1.55F,   1.36F,
                                     0.645F,  1.455F,  -1.164F, -1.45F,  0.169F,  -0.593F, -0.498F, 1.074F,
                                     1.502F,  -0.831F, -0.117F, 1.121F,  -1.355F, 0.931F,  -1.212F, 0.264F,
                                     -1.069F, 1.264F,  -1.117F, -0.355F, 0.979F,  -0.736F, -0.974F, 1.026F,
                                     0.598F,  0.693F,  -0.545F, -0.688F, -0.783F, 1.217F,  -0.26F,  0.121F})},
            {valuesOf({2, 1, 2, 16},
                      {0.074F,  0.217F,  0.36F,   -0.212F, 0.455F,  -1.26F,  -1.402F, -0.021F,
                       0.026F,  -0.307F, -0.879F, -0.069F, -0.64F,  0.502F,  -0.45F,  0.312F,
                       0.883F,  0.788F,  0.407F,  1.407F,  0.74F,   1.169F,  1.312F,  -0.926F,
                       0.836F,  -0.402F, -0.164F, -1.021F, -1.307F, 0.55F,   1.55F,   1.36F,
                       0.645F,  1.455F,  -1.164F, -1.45F,  0.169F,  -0.593F, -0.498F, 1.074F,
                       -1.069F, 1.264F,  -1.117F, -0.355F, 0.979F,  -0.736F, -0.974F, 1.026F,
                       1.502F,  -0.831F, -0.117F, 1.121F,  -1.355F, 0.931F,  -1.212F, 0.264F,
                       0.598F,  0.693F,  -0.545F, -0.688F, -0.783F, 1.217F,  -0.26F,  0.121F})}};
        QTest::newRow("depth_to_space") << Call{
            "depth_to_space",
            R"({"block_size": 2})",
            {valuesOf({2, 2, 4, 4}, {0.074F,  0.217F,  0.36F,   -0.212F, 0.455F,  -1.26F,  -1.402F, -0.021F,
                                     0.883F,  0.788F,  0.407F,  1.407F,  0.74F,   1.169F,  1.312F,  -0.926F,
                                     0.026F,  -0.307F, -0.879F, -0.069F, -0.64F,  0.502F,  -0.45F,  0.312F,
                                     0.836F,  -0.402F, -0.164F, -1.021F, -1.307F, 0.55F,   1.55F,   1.36F,
                                     0.645F,  1.455F,  -1.164F, -1.45F,  0.169F,  -0.593F, -0.498F, 1.074F,
                                     1.502F,  -0.831F, -0.117F, 1.121F,  -1.355F, 0.931F,  -1.212F, 0.264F,
                                     -1.069F, 1.264F,  -1.117F, -0.355F, 0.979F,  -0.736F, -0.974F, 1.026F,
                                     0.598F,  0.693F,  -0.545F, -0.688F, -0.783F, 1.217F,  -0.26F,  0.121F})},
            {valuesOf({2, 4, 8, 1},
                      {0.074F,  0.217F,  0.455F,  -1.26F,  0.883F,  0.788F,  0.74F,   1.169F,
                       0.36F,   -0.212F, -1.402F, -0.021F, 0.407F,  1.407F,  1.312F,  -0.926F,
                       0.026F,  -0.307F, -0.64F,  0.502F,  0.836F,  -0.402F, -1.307F, 0.55F,
                       -0.879F, -0.069F, -0.45F,  0.312F,  -0.164F, -1.021F, 1.55F,   1.36F,
                       0.645F,  1.455F,  0.169F,  -0.593F, 1.502F,  -0.831F, -1.355F, 0.931F,
                       -1.164F, -1.45F,  -0.498F, 1.074F,  -0.117F, 1.121F,  -1.212F, 0.264F,
                       -1.069F, 1.264F,  0.979F,  -0.736F, 0.598F,  0.693F,  -0.783F, 1.217F,
                       -1.117F, -0.355F, -0.974F, 1.026F,  -0.545F, -0.688F, -0.26F,  0.121F})}};
        QTest::newRow("nearest resize") << Call{
            "resize",
            R"({"size": [4, 2], "method": "nearest"})",
            {valuesOf({2, 2, 4, 4}, {0.074F,  0.217F,  0.36F,   -0.212F, 0.455F,  -1.26F,  -1.402F, -0.021F,
                                     0.883F,  0.788F,  0.407F,  1.407F,  0.74F,   1.169F,  1.312F,  -0.926F,
                                     0.026F,  -0.307F, -0.879F, -0.069F, -0.64F,  0.502F,  -0.45F,  0.312F,
                                     0.836F,  -0.402F, -0.164F, -1.021F, -1.307F, 0.55F,   1.55F,   1.36F,
                                     0.645F,  1.455F,  -1.164F, -1.45F,  0.169F,  -0.593F, -0.498F, 1.074F,
                                     1.502F,  -0.831F, -0.117F, 1.121F,  -1.355F, 0.931F,  -1.212F, 0.264F,
                                     -1.069F, 1.264F,  -1.117F, -0.355F, 0.979F,  -0.736F, -0.974F, 1.026F,
                                     0.598F,  0.693F,  -0.545F, -0.688F, -0.783F, 1.217F,  -0.26F,  0.121F})},
            {valuesOf({2, 4, 2, 4}, {0.455F, -1.26F,  -1.402F, -0.021F, 0.74F,   1.169F, 1.312F,  -0.926F,
                                     0.455F, -1.26F,  -1.402F, -0.021F, 0.74F,   1.169F, 1.312F,  -0.926F,
                                     -0.64F, 0.502F,  -0.45F,  0.312F,  -1.307F, 0.55F,  1.55F,   1.36F,
                                     -0.64F, 0.502F,  -0.45F,  0.312F,  -1.307F, 0.55F,  1.55F,   1.36F,
                                     0.169F, -0.593F, -0.498F, 1.074F,  -1.355F, 0.931F, -1.212F, 0.264F,
                                     0.169F, -0.593F, -0.498F, 1.074F,  -1.355F, 0.931F, -1.212F, 0.264F,
                                     0.979F, -0.736F, -0.974F, 1.026F,  -0.783F, 1.217F, -0.26F,  0.121F,
                                     0.979F, -0.736F, -0.974F, 1.026F,  -0.783F, 1.217F, -0.26F,  0.121F})}};
        QTest::newRow("einsum") << Call{
            "einsum",
            R"({"equation": "bij,bjk->bik"})",
            {valuesOf({2, 4, 3}, {0.898F, 1.55F,   -0.015F, -1.059F, -0.276F, -0.667F, -0.537F, 0.767F,
                                  -1.32F, 1.028F,  0.115F,  1.42F,   0.637F,  -1.189F, -0.928F, 1.159F,
                                  0.507F, -0.146F, 0.246F,  -1.45F,  -0.798F, 1.289F,  0.376F,  -0.407F}),
             valuesOf({2, 3, 5}, {1.343F,  -0.002F, 1.033F, 1.24F,   0.619F,  0.516F, -0.416F, 0.826F,
                                  -1.036F, -1.347F, 1.55F,  -1.45F,  1.447F,  0.102F, -0.105F, 0.309F,
                                  0.205F,  -0.519F, 0.929F, -0.726F, -0.933F, 0.722F, -0.829F, 0.412F,
                                  -0.312F, -0.622F, 1.136F, -0.209F, -1.243F, -1.14F})},
            {valuesOf({2, 4, 5},
                      {1.982564F,  -0.624846F, 2.186229F,  -0.49381F,  -1.530413F, -2.598503F, 1.084084F,
                       -2.287072F, -1.095258F, -0.213714F, -2.371419F, 1.596002F,  -1.831219F, -1.595132F,
                       -1.226952F, 3.640944F,  -2.108896F, 3.211654F,  1.30042F,   0.332327F,  1.883386F,
                       -1.782081F, 0.84903F,   1.255409F,  0.966426F,  -0.024088F, 0.437793F,  -0.99131F,
                       1.467073F,  -0.833178F, 1.92522F,   -1.902998F, 1.241158F,  0.623048F,  1.183524F,
                       0.300647F,  0.073365F,  -0.895632F, 1.858294F,  -0.589146F})}};
        QTest::newRow("cumprod") << Call{
            "cumprod",
            R"({"axis": 1})",
            {valuesOf({2, 4, 3}, {0.898F, 1.55F,   -0.015F, -1.059F, -0.276F, -0.667F, -0.537F, 0.767F,
                                  -1.32F, 1.028F,  0.115F,  1.42F,   0.637F,  -1.189F, -0.928F, 1.159F,
                                  0.507F, -0.146F, 0.246F,  -1.45F,  -0.798F, 1.289F,  0.376F,  -0.407F})},
            {valuesOf({2, 4, 3},
                      {0.898F,     1.55F,       -0.015F,     -0.950982F, -0.4278F,    0.010005F,
                       0.5106773F, -0.3281226F, -0.0132066F, 0.5249763F, -0.0377341F, -0.01875337F,
                       0.637F,     -1.189F,     -0.928F,     0.738283F,  -0.602823F,  0.135488F,
                       0.1816176F, 0.8740933F,  -0.1081194F, 0.2341051F, 0.3286591F,  0.04400461F})}};
        QTest::newRow("log2") << Call{
            "log2",
            R"({})",
            {valuesOf({2, 4, 3}, {1.098F, 1.75F,  0.215F, 1.259F, 0.476F, 0.867F, 0.737F, 0.967F,
                                  1.52F,  1.228F, 0.315F, 1.62F,  0.837F, 1.389F, 1.128F, 1.359F,
                                  0.707F, 0.346F, 0.446F, 1.65F,  0.998F, 1.489F, 0.576F, 0.607F})},
            {valuesOf({2, 4, 3},
                      {0.1348781F,  0.8073549F,   -2.217591F,    0.3322783F, -1.070967F,  -0.2058961F,
                       -0.4402635F, -0.04841221F, 0.6040713F,    0.2963106F, -1.666576F,  0.6959938F,
                       -0.2567005F, 0.4740466F,   0.1737671F,    0.4425455F, -0.5002179F, -1.531156F,
                       -1.164884F,  0.722466F,    -0.002888279F, 0.5743438F, -0.7958593F, -0.7202316F})}};
        QTest::newRow("norm") << Call{
            "norm",
            R"({"axis": [2]})",
            {valuesOf({2, 4, 3}, {0.898F, 1.55F,   -0.015F, -1.059F, -0.276F, -0.667F, -0.537F, 0.767F,
                                  -1.32F, 1.028F,  0.115F,  1.42F,   0.637F,  -1.189F, -0.928F, 1.159F,
                                  0.507F, -0.146F, 0.246F,  -1.45F,  -0.798F, 1.289F,  0.376F,  -0.407F})},
            {valuesOf({2, 4}, {1.791404F, 1.281619F, 1.61835F, 1.756818F, 1.637276F, 1.273439F, 1.673266F,
                               1.403049F})}};
        QTest::newRow("one_hot") << Call{
            "one_hot",
            R"({"depth": 3})",
            {valuesOf({2, 2}, {0.0F, 2.0F, 1.0F, 3.0F}, core::DataType::Int32)},
            {valuesOf({2, 2, 3}, {1.0F, 0.0F, 0.0F, 0.0F, 0.0F, 1.0F, 0.0F, 1.0F, 0.0F, 0.0F, 0.0F, 0.0F})}};
        QTest::newRow("one_hot along another axis")
            << Call{"one_hot",
                    R"({"depth": 3, "axis": 1, "on_value": 2.0, "off_value": -1.0})",
                    {valuesOf({2, 2}, {0.0F, 2.0F, 1.0F, 0.0F}, core::DataType::Int32)},
                    {valuesOf({2, 3, 2}, {2.0F, -1.0F, -1.0F, -1.0F, -1.0F, 2.0F, -1.0F, 2.0F, 2.0F, -1.0F,
                                          -1.0F, -1.0F})}};
    }
    void functionsGiveWhatNumPyGives() {
        QFETCH(Call, call);
        const tests::ProbeAnswer answer =
            tests::probe({.className = "TFOpLambda",
                          .config = {{"function", call.function}},
                          .arguments = core::parseJson(call.arguments, "arguments").value(),
                          .inputs = call.inputs});
        QVERIFY2(answer.error.empty(), answer.error.c_str());
        QCOMPARE(answer.outputs.size(), call.expected.size());
        for (std::size_t i = 0; i < call.expected.size(); ++i) {
            QCOMPARE(answer.extents[i], call.expected[i].form.extents);
            for (std::size_t at = 0; at < call.expected[i].data.size(); ++at)
                QVERIFY(std::abs(answer.outputs[i][at] - call.expected[i].data[at]) < 1e-5F);
        }
        QVERIFY2(answer.disagreement.empty(), answer.disagreement.c_str());
    }

    void aChoiceTakesConstants() {
        const tests::ProbeAnswer answer =
            tests::probe({.className = "TFOpLambda",
                          .config = {{"function", "where"}},
                          .arguments = {{"x", {{"$input", 1}}}, {"y", 7.0}},
                          .inputs = {valuesOf({2, 2}, {1, 0, 0, 1}, core::DataType::Int32),
                                     valuesOf({2, 2}, {1, 2, 3, 4})}});
        QVERIFY2(answer.error.empty(), answer.error.c_str());
        QCOMPARE(answer.outputs.at(0), (std::vector<float>{1, 7, 7, 4}));
        QVERIFY2(answer.disagreement.empty(), answer.disagreement.c_str());
    }

    void aWeightByItselfIsTheWeight() {
        const tests::ProbeAnswer answer = tests::probe({.className = "Variable",
                                                        .config = {{"shape", {2, 2}}},
                                                        .inputs = {valuesOf({3, 1}, {0, 0, 0})},
                                                        .weights = {{1, -2, 3, 0.5F}}});
        QVERIFY2(answer.error.empty(), answer.error.c_str());
        QCOMPARE(answer.outputs.at(0), (std::vector<float>{1, -2, 3, 0.5F}));
        QVERIFY2(answer.disagreement.empty(), answer.disagreement.c_str());
    }

    /// The example of the operation's documentation: rows 2, 3 and 1, 2 of a source.
    void slicesAreUnpackedAndPackedByTheirOffsets() {
        const auto rows = [](std::vector<float> numbers) {
            const auto count = static_cast<std::int64_t>(numbers.size());
            return valuesOf({count, 1}, std::move(numbers));
        };
        const auto integers = [](std::vector<float> numbers) {
            return valuesOf({2}, std::move(numbers), core::DataType::Int32);
        };
        const tests::ProbeAnswer unpacked =
            tests::probe({.className = "SequenceSliceUnpack",
                          .config = {{"total_elements", 4}},
                          .inputs = {rows({0, 1, 2, 3, 4, 5}), integers({2, 2}), integers({2, 1})}});
        QVERIFY2(unpacked.error.empty(), unpacked.error.c_str());
        QCOMPARE(unpacked.outputs.at(0), (std::vector<float>{2, 3, 1, 2}));
        QVERIFY2(unpacked.disagreement.empty(), unpacked.disagreement.c_str());
        const tests::ProbeAnswer packed = tests::probe(
            {.className = "SequenceSlicePack",
             .inputs = {rows({0, 0, 0, 0, 0, 0}), rows({2, 3, 1, 2}), integers({2, 2}), integers({2, 1})}});
        QVERIFY2(packed.error.empty(), packed.error.c_str());
        QCOMPARE(packed.outputs.at(0), (std::vector<float>{0, 1, 2, 3, 0, 0}));
        QVERIFY2(packed.disagreement.empty(), packed.disagreement.c_str());
        const tests::ProbeAnswer listed = tests::probe({.className = "SequenceSlice",
                                                        .config = {{"dst_rows", 6},
                                                                   {"num_elems", {2, 2}},
                                                                   {"src_offsets", {2, 1}},
                                                                   {"dst_offsets", {0, 4}}},
                                                        .inputs = {rows({0, 1, 2, 3, 4, 5})}});
        QVERIFY2(listed.error.empty(), listed.error.c_str());
        QCOMPARE(listed.outputs.at(0), (std::vector<float>{2, 3, 0, 0, 1, 2}));
        QVERIFY2(listed.disagreement.empty(), listed.disagreement.c_str());
        const tests::ProbeAnswer uneven =
            tests::probe({.className = "SequenceSliceUnpack",
                          .config = {{"total_elements", 4}, {"num_elems", {2, 2}}, {"src_offsets", {2}}},
                          .inputs = {rows({0, 1, 2, 3, 4, 5})}});
        QVERIFY2(uneven.error.find("src_offsets has 1 entries, num_elems has 2") != std::string::npos,
                 uneven.error.c_str());
    }

    void aHistogramTakesItsLevelsFromBins() {
        const auto counts = [](core::Json config, std::vector<oracles::Values> more) {
            std::vector<oracles::Values> inputs{valuesOf({2, 3}, {0, 1, 2, 3, 4, 5})};
            inputs.insert(inputs.end(), more.begin(), more.end());
            const tests::ProbeAnswer answer =
                tests::probe({.className = "Histogram", .config = std::move(config), .inputs = inputs});
            return answer.error.empty() ? answer.outputs.at(0) : std::vector<float>();
        };
        const oracles::Values levels = valuesOf({2}, {1.5F, 3.5F});
        const oracles::Values before = valuesOf({3}, {10, 20, 30});
        const std::vector<float> expected{2, 2, 2};
        QCOMPARE(counts({{"levels", {1.5, 3.5}}}, {}), expected);
        QCOMPARE(counts({{"levels", nullptr}}, {levels}), expected);
        QCOMPARE(counts({{"levels", nullptr}}, {before, levels}), (std::vector<float>{12, 22, 32}));
        QVERIFY(counts({{"levels", nullptr}}, {}).empty());
    }

    void convolutionsSideBySideAreThoseByThemselves() {
        tests::RandomOperands random(3, 0);
        const oracles::Values image = valuesOf({2, 4, 4, 2}, random.between(64, -1, 1));
        const std::vector<float> kernel = random.between(2 * 2 * 2 * 3, -1, 1);
        const std::vector<float> depthKernel = random.between(3 * 3 * 2, -1, 1);
        const core::Json plain{{"filters", 3}, {"kernel_size", {2, 2}}, {"use_bias", false}};
        const core::Json depth{{"kernel_size", {3, 3}}, {"padding", "same"}, {"use_bias", false}};
        const core::Json layers{{{"class_name", "Conv2D"}, {"config", plain}},
                                {{"class_name", "DepthwiseConv2D"}, {"config", depth}}};
        const tests::ProbeAnswer both = tests::probe({.className = "MultiConv",
                                                      .config = {{"layers", layers}},
                                                      .inputs = {image, image},
                                                      .weights = {kernel, depthKernel}});
        QVERIFY2(both.error.empty(), both.error.c_str());
        QVERIFY2(both.disagreement.empty(), both.disagreement.c_str());
        QCOMPARE(
            both.outputs.at(0),
            tests::probe({.className = "Conv2D", .config = plain, .inputs = {image}, .weights = {kernel}})
                .outputs.at(0));
        QCOMPARE(both.outputs.at(1), tests::probe({.className = "DepthwiseConv2D",
                                                   .config = depth,
                                                   .inputs = {image},
                                                   .weights = {depthKernel}})
                                         .outputs.at(0));
    }

    /// kernel = diag(3, 1): after a few steps of power iteration σ is 3.
    void aSpectrallyNormalizedKernelHasTheLargestSingularValueOne() {
        const tests::ProbeAnswer answer =
            tests::probe({.className = "SpectralNormalization",
                          .config = {{"layer",
                                      {{"class_name", "Dense"},
                                       {"config", {{"name", "inner"}, {"units", 2}, {"use_bias", false}}}}},
                                     {"power_iterations", 20}},
                          .inputs = {valuesOf({1, 2}, {6, 6})},
                          .weights = {{3, 0, 0, 1}, {0.8F, 0.6F}}});
        QVERIFY2(answer.error.empty(), answer.error.c_str());
        QVERIFY(std::abs(answer.outputs.at(0)[0] - 6) < 1e-4F);
        QVERIFY(std::abs(answer.outputs.at(0)[1] - 2) < 1e-4F);
        QVERIFY2(answer.disagreement.empty(), answer.disagreement.c_str());
    }
};

REGISTER_TEST("function_layers", FunctionLayersTest)
#include "function_layers_test.moc"
