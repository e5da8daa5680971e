#include "simulator/cost/operations/plan_operation.h"

#include "simulator/cost/codelet.h"
#include "simulator/graph/output_rules.h"
#include "simulator/target/target_catalogue.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <vector>

using namespace simulator;
using core::DataType;

namespace {

/// An operation with its tensors, ready to be planned.
struct Case {
    Operation operation;
    std::vector<Tensor> tensors;
};

Case makeCase(OperationAttributes attributes, const std::vector<TensorForm>& inputs,
              const std::vector<TensorForm>& outputs) {
    Case made;
    made.operation.attributes = std::move(attributes);
    const auto add = [&](const TensorForm& form, std::vector<core::TensorId>& ids) {
        Tensor tensor;
        tensor.id = core::TensorId(made.tensors.size());
        tensor.extents = form.extents;
        tensor.type = form.type;
        ids.push_back(tensor.id);
        made.tensors.push_back(tensor);
    };
    for (const TensorForm& form : inputs)
        add(form, made.operation.inputs);
    for (const TensorForm& form : outputs)
        add(form, made.operation.outputs);
    return made;
}

OperationPlan planOn(const IpuTarget& target, const Case& item, PlanOptions options = {}) {
    PlanCache cache;
    return planOperation(item.operation, item.tensors, target, options, cache);
}

OperationPlan planOf(const Case& item, PlanOptions options = {}) {
    return planOn(findTarget("ipu2")->target, item, options);
}

WindowGeometry window3x3(std::int64_t stride = 1) {
    return {{3, 3}, {stride, stride}, {1, 1}, {1, 1}, {1, 1}};
}

/// One operation of every kind over tensors of about n × n elements.
std::vector<Case> everyKind(std::int64_t n, DataType type = DataType::Float16) {
    const TensorForm matrix{{n, n}, type};
    const TensorForm image{{2, n, n, 8}, type};
    const TensorForm kernel{{3, 3, 8, 8}, type};
    const TensorForm row{{n}, type};
    const TensorForm channel{{8}, type};
    const TensorForm scalar{{}, DataType::Float32};
    const TensorForm indices{{n}, DataType::Int32};
    const TensorForm sequence{{n, 4, n}, type};
    const TensorForm wide{{n, 4 * n}, type};
    return {
        makeCase(MatMul{}, {matrix, matrix}, {matrix}),
        makeCase(MatMul{true, true, MatMulAxis::Inner, 4}, {matrix, matrix}, {matrix}),
        makeCase(Convolution{window3x3(), 1, ConvolutionPass::Forward, 0}, {image, kernel}, {image}),
        makeCase(Convolution{window3x3(), 1, ConvolutionPass::InputGradient, 0}, {image, kernel}, {image}),
        makeCase(Convolution{window3x3(), 1, ConvolutionPass::WeightGradient, 0}, {image, image}, {kernel}),
        makeCase(Convolution{window3x3(), 8, ConvolutionPass::Forward, 0}, {image, {{3, 3, 1, 8}, type}},
                 {image}),
        makeCase(Unary{UnaryFunction::Relu, 0, 0}, {matrix}, {matrix}),
        makeCase(UnaryGradient{{UnaryFunction::Tanh, 0, 0}}, {matrix, matrix}, {matrix}),
        makeCase(Binary{BinaryFunction::Add}, {matrix, matrix}, {matrix}),
        makeCase(Select{}, {{{n, n}, DataType::Bool}, matrix, matrix}, {matrix}),
        makeCase(Reduce{ReduceFunction::Sum, {0}, false}, {matrix}, {row}),
        makeCase(Cumulative{}, {matrix}, {matrix}),
        makeCase(ArgReduce{}, {matrix}, {indices}),
        makeCase(TopK{3}, {matrix}, {{{n, 3}, type}, {{n, 3}, DataType::Int32}}),
        makeCase(OneHot{10, 1, 0}, {indices}, {{{n, 10}, type}}),
        makeCase(Broadcast{{n, n}}, {row}, {matrix}),
        makeCase(Softmax{}, {matrix}, {matrix}),
        makeCase(SoftmaxGradient{}, {matrix, matrix}, {matrix}),
        makeCase(Pool{PoolFunction::Maximum, window3x3(2), false}, {image}, {image}),
        makeCase(PoolGradient{{PoolFunction::Maximum, window3x3(2), false}}, {image, image, image}, {image}),
        makeCase(ExtractPatches{window3x3()}, {image}, {{{2, n, n, 72}, type}}),
        makeCase(ExtractPatchesGradient{{window3x3()}}, {{{2, n, n, 72}, type}}, {image}),
        makeCase(Normalization{}, {image, channel, channel}, {image, channel, channel}),
        makeCase(NormalizationGradient{}, {image, channel, channel, channel, image},
                 {image, channel, channel}),
        makeCase(MovingAverage{}, {channel, channel}, {channel}),
        makeCase(Gather{}, {matrix, indices}, {matrix}),
        makeCase(GatherGradient{{}, n}, {indices, matrix}, {matrix}),
        makeCase(Recurrent{}, {sequence, wide, wide}, {sequence}),
        makeCase(RecurrentGradient{}, {sequence, wide, wide}, {sequence, wide, wide}),
        makeCase(Dropout{}, {matrix}, {matrix}),
        makeCase(DropoutGradient{}, {matrix}, {matrix}),
        makeCase(Random{}, {}, {matrix}),
        makeCase(Reshape{}, {matrix}, {{{n * n}, type}}),
        makeCase(Transpose{{1, 0}}, {matrix}, {matrix}),
        makeCase(Concatenate{}, {matrix, matrix}, {{{n, 2 * n}, type}}),
        makeCase(Slice{{0, 0}, {1, 2}}, {{{n, 2 * n}, type}}, {matrix}),
        makeCase(Pad{{0, 1}, {0, 1}, {}, PadMode::Constant, 0}, {matrix}, {{{n, n + 2}, type}}),
        makeCase(Upsample{{2, 2}, Interpolation::Linear}, {image}, {{{2, 2 * n, 2 * n, 8}, type}}),
        makeCase(UpsampleGradient{{{2, 2}, Interpolation::Nearest}}, {{{2, 2 * n, 2 * n, 8}, type}}, {image}),
        makeCase(Cast{DataType::Float32}, {matrix}, {{{n, n}, DataType::Float32}}),
        makeCase(RecomputationCheckpoint{}, {matrix}, {matrix}),
        makeCase(Copy{}, {matrix}, {matrix}),
        makeCase(Fill{0}, {}, {matrix}),
        makeCase(Loss{"SparseCategoricalCrossentropy", true, 0, 1, 0, LossReduction::Mean, false},
                 {matrix, indices}, {scalar}),
        makeCase(LossGradient{{"SparseCategoricalCrossentropy", true, 0, 1, 0, LossReduction::Mean, false}},
                 {matrix, indices, scalar}, {matrix}),
        makeCase(Metric{}, {matrix, indices}, {scalar}),
        makeCase(CtcLoss{}, {{{4, 2, n}, type}, {{2, n}, DataType::Int32}}, {scalar}),
        makeCase(CtcBeamSearch{}, {{{4, 2, n}, type}}, {scalar}),
        makeCase(Histogram{}, {matrix, row}, {row}),
        makeCase(Equalize{}, {matrix}, {matrix}),
        makeCase(SequenceSlice{}, {matrix, matrix}, {matrix}),
        makeCase(AccumulateGradient{}, {matrix, matrix}, {matrix}),
        makeCase(OptimizerUpdate{"Adam", {}}, {matrix, matrix, matrix, matrix}, {matrix}),
        makeCase(Collective{}, {matrix}, {matrix}),
        makeCase(InterIpuCopy{}, {matrix}, {matrix}),
        makeCase(StreamCopy{}, {}, {matrix}),
        makeCase(Opaque{1000000}, {matrix}, {matrix}),
        makeCase(UserOperation{"library", "operation", "", false, 1000000}, {matrix}, {matrix}),
        makeCase(ReplicationIndex{}, {}, {matrix}),
        makeCase(HostLookup{}, {matrix, indices}, {matrix}),
        makeCase(HostUpdate{}, {matrix, indices, matrix}, {matrix}),
    };
}

std::string nameOf(const Case& item) {
    return std::string(kindName(item.operation.attributes));
}

} // namespace

class PlanOperationTest : public QObject {
    Q_OBJECT

private slots:
    void theCasesCoverEveryKind() {
        std::vector<bool> seen(std::variant_size_v<OperationAttributes>, false);
        for (const Case& item : everyKind(8))
            seen[item.operation.attributes.index()] = true;
        for (std::size_t kind = 0; kind < seen.size(); ++kind)
            QVERIFY2(seen[kind], std::to_string(kind).c_str());
    }

    void plansEveryKindAtEverySize() {
        for (const std::int64_t n : {std::int64_t{0}, std::int64_t{1}, std::int64_t{3}, std::int64_t{256},
                                     std::int64_t{100000}, std::int64_t{1} << 30})
            for (const DataType type : {DataType::Float16, DataType::Float32})
                for (const Case& item : everyKind(n, type)) {
                    const OperationPlan plan = planOf(item);
                    QVERIFY2(plan.compute.value() >= 0 && plan.exchange.value() >= 0 &&
                                 plan.sync.value() >= 0,
                             nameOf(item).c_str());
                    QVERIFY2(plan.total().value() >= 0 && plan.tilesUsed >= 0 && plan.tilesUsed <= 1472,
                             nameOf(item).c_str());
                    QVERIFY2(plan.temporaryPerTile.value() >= 0 && plan.overhead <= plan.sync,
                             nameOf(item).c_str());
                }
    }

    void moreTilesBandwidthAndFasterClocksNeverSlowAnOperation() {
        for (const std::int64_t n : {2, 40, 300, 2000})
            for (const Case& item : everyKind(n)) {
                IpuTarget target = findTarget("ipu2")->target;
                double last = std::numeric_limits<double>::infinity();
                const auto check = [&] {
                    PlanOptions options;
                    options.availableMemoryProportion = 1000;
                    const OperationPlan plan = planOn(target, item, options);
                    const double seconds = static_cast<double>(plan.total().value()) / target.clockHz;
                    // Half a cycle of rounding each for compute, exchange and sync.
                    QVERIFY2(seconds <= last + 2 / target.clockHz, nameOf(item).c_str());
                    last = std::min(last, seconds);
                };
                for (const std::int64_t tiles : {1, 7, 64, 500, 1472, 1500, 5888}) {
                    target.tiles = tiles;
                    check();
                }
                for (const double rate : {8.0, 16.0, 100.0}) {
                    target.exchangeBytesPerCycle = rate;
                    check();
                }
                for (const double clock : {1.85e9, 4e9}) {
                    target.clockHz = clock;
                    check();
                }
            }
    }

    void growingShapesNeverGetCheaper() {
        PlanOptions options;
        options.availableMemoryProportion = 1000;
        std::vector<std::int64_t> last(everyKind(1).size(), 0);
        for (const std::int64_t n : {1, 2, 3, 5, 8, 13, 21, 40, 64, 100, 128, 200, 256, 400, 700, 1024}) {
            const std::vector<Case> cases = everyKind(n);
            for (std::size_t i = 0; i < cases.size(); ++i) {
                const std::int64_t total = planOf(cases[i], options).total().value();
                QVERIFY2(total + 2 >= last[i], (nameOf(cases[i]) + " " + std::to_string(n)).c_str());
                last[i] = std::max(last[i], total);
            }
        }
    }

    void identicalOperationsAreSearchedOnce() {
        PlanCache cache;
        const IpuTarget ipu2 = findTarget("ipu2")->target;
        Case item = everyKind(256).front();
        const OperationPlan first = planOperation(item.operation, item.tensors, ipu2, {}, cache);
        item.operation.name = "another";
        QVERIFY(planOperation(item.operation, item.tensors, ipu2, {}, cache) == first);
        QCOMPARE(cache.size(), std::size_t(1));
        PlanOptions less;
        less.availableMemoryProportion = 0.01;
        (void)planOperation(item.operation, item.tensors, ipu2, less, cache);
        QCOMPARE(cache.size(), std::size_t(2));
        (void)planOperation(item.operation, item.tensors, findTarget("bow")->target, {}, cache);
        QCOMPARE(cache.size(), std::size_t(3));
        item.tensors.front().type = DataType::Float32;
        (void)planOperation(item.operation, item.tensors, ipu2, {}, cache);
        QCOMPARE(cache.size(), std::size_t(4));
    }

    void everyThresholdOfACurveIsPaidFor() {
        const auto cycles = [&](const char* metric, double parameter) {
            const TensorForm wide{{1 << 14, 16}, DataType::Float32};
            return planOf(makeCase(Metric{metric, parameter}, {wide, wide}, {{{}, DataType::Float32}}))
                .total()
                .value();
        };
        QCOMPARE(cycles("Precision", 0.5), cycles("Accuracy", 0));
        QVERIFY(cycles("AUC", 2) > cycles("Precision", 0.5));
        QVERIFY(cycles("AUC", 200) > 20 * cycles("AUC", 2));
    }

    void viewsAreFree() {
        const TensorForm matrix{{256, 256}, DataType::Float16};
        QCOMPARE(planOf(makeCase(Reshape{}, {matrix}, {{{65536}, matrix.type}})).total().value(), 0);
        QCOMPARE(planOf(makeCase(Transpose{{0, 1}}, {matrix}, {matrix})).total().value(), 0);
        QVERIFY(planOf(makeCase(Transpose{{1, 0}}, {matrix}, {matrix})).total().value() > 0);
    }

    void shortRowsAreDearerToRearrange() {
        const auto batched = [](std::int64_t k) {
            const TensorForm left{{96, 197, k}, DataType::Float16};
            const TensorForm right{{96, k, 64}, DataType::Float16};
            return planOf(makeCase(MatMul{}, {left, right}, {{{96, 197, 64}, DataType::Float16}})).total();
        };
        QVERIFY(batched(197) > batched(200));
    }

    void inheritedLayoutsAreUneven() {
        const Case item = makeCase(Unary{UnaryFunction::Relu, 0, 0}, {{{1 << 20}, DataType::Float16}},
                                   {{{1 << 20}, DataType::Float16}});
        PlanOptions own;
        own.inheritedLayout = false;
        QCOMPARE(planOf(item, own).compute.value(), 662);
        QVERIFY(planOf(item).compute > planOf(item, own).compute);
    }

    void fastMathShortensElementwiseFunctions() {
        const TensorForm form{{1 << 20}, DataType::Float16};
        PlanOptions fast;
        fast.fastMath = true;
        const Case gelu = makeCase(Unary{UnaryFunction::GeluErf, 0, 0}, {form}, {form});
        const Case divide = makeCase(Binary{BinaryFunction::Divide}, {form, form}, {form});
        const Case relu = makeCase(Unary{UnaryFunction::Relu, 0, 0}, {form}, {form});
        QVERIFY(planOf(gelu, fast).total() < planOf(gelu).total());
        QVERIFY(planOf(divide, fast).total() < planOf(divide).total());
        QCOMPARE(planOf(relu, fast).total(), planOf(relu).total());
    }

    void codeIsNamedOncePerFamilyAndType() {
        const OperationPlan plan = planOf(everyKind(64).front());
        QCOMPARE(plan.codelets, std::vector<std::string>{"matmul/half"});
        QCOMPARE(plan.vertexCodePerTile.value(), 1450);
        for (const Case& item : everyKind(64))
            for (const std::string& codelet : planOf(item).codelets)
                QVERIFY2(codeletBytes(codelet) > 0, codelet.c_str());
    }

    void everyReducingFunctionHasItsOwnCode() {
        const auto half = [](Extents extents) { return TensorForm{std::move(extents), DataType::Float16}; };
        const auto has = [](const OperationPlan& plan, const char* codelet) {
            return std::ranges::find(plan.codelets, codelet) != plan.codelets.end();
        };
        const Case softmax = makeCase(Softmax{-1, false}, {half({2048, 128})}, {half({2048, 128})});
        QVERIFY(has(planOf(softmax), "reduce/half/Maximum") && has(planOf(softmax), "reduce/half/Add"));
        // Partial sums of a long inner dimension meet in a reduction; a short one needs none.
        const Case wide = makeCase(MatMul{}, {half({128, 4096}), half({4096, 1024})}, {half({128, 1024})});
        QVERIFY(has(planOf(wide), "partials/half"));
    }

    void everyVertexMethodHasItsOwnCode() {
        const TensorForm image{{1, 56, 56, 64}, DataType::Float16};
        const auto codelets = [&](std::int64_t groups) {
            const TensorForm kernel{{3, 3, 64 / groups, 64}, DataType::Float16};
            return planOf(makeCase(Convolution{window3x3(), groups, ConvolutionPass::Forward, 0},
                                   {image, kernel}, {image}))
                .codelets;
        };
        QCOMPARE(codelets(1).front(), std::string("conv/half"));
        // A convolution of every channel by itself does not fill the matrix unit.
        QVERIFY2(codelets(64).front().starts_with("conv/half/"), codelets(64).front().c_str());
        QCOMPARE(codeletBytes(codelets(64).front()), codeletBytes("conv/half"));
    }

    void temporariesAreWhatIsBesideOperandsAndResult() {
        const auto half = [](Extents extents) { return TensorForm{std::move(extents), DataType::Float16}; };
        PlanOptions options;
        options.partialsType = DataType::Float16;
        // Two rows that every tile takes whole: the weights are used where they are.
        const Case single = makeCase(MatMul{}, {half({2, 50176}), half({50176, 32})}, {half({2, 32})});
        const OperationPlan alone = planOf(single, options);
        QVERIFY(alone.temporaryPerTile.value() * alone.tilesUsed < std::int64_t{50176} * 32 * 2 / 4);
        // A transposed operand is there a second time.
        const std::int64_t weights = std::int64_t{1024} * 4096 * 2;
        const Case straight =
            makeCase(MatMul{}, {half({128, 1024}), half({1024, 4096})}, {half({128, 4096})});
        const Case turned =
            makeCase(MatMul{false, true}, {half({128, 1024}), half({4096, 1024})}, {half({128, 4096})});
        const std::int64_t more =
            (planOf(turned, options).temporaryPerTile - planOf(straight, options).temporaryPerTile).value();
        QVERIFY(std::abs(more - weights / findTarget("ipu2")->target.tiles) <= 1);
        // A bias is sent to the tiles that add it, and no more of it than they have elements.
        const Case sum = makeCase(Binary{BinaryFunction::Add}, {half({128, 1024}), half({128, 1024})},
                                  {half({128, 1024})});
        const Case bias =
            makeCase(Binary{BinaryFunction::Add}, {half({128, 1024}), half({1024})}, {half({128, 1024})});
        QCOMPARE(planOf(sum).temporaryPerTile.value(), 0);
        QVERIFY(planOf(bias).temporaryPerTile.value() > 0 && planOf(bias).temporaryPerTile.value() <= 2048);
    }

    void malformedOperationsArePlannedAsNothing() {
        Operation operation;
        operation.attributes = MatMul{};
        operation.inputs = {core::TensorId(7), core::TensorId()};
        PlanCache cache;
        const OperationPlan plan = planOperation(operation, {}, findTarget("ipu2")->target, {}, cache);
        QCOMPARE(plan.flops.value(), 0);
    }
};

REGISTER_TEST("plan_operation", PlanOperationTest)
#include "plan_operation_test.moc"
