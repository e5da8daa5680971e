#include "core/model/tensor_indexing.h"

#include "tests/support/test_registry.h"

#include <QtTest/QTest>

namespace {

using core::AxisRange;
using core::IndexedAxis;
using core::Json;

/// "0[8:2:-3] new 1@5 2": one word an axis: the source, then what is read of `extents`.
QString described(const char* spec, const std::vector<std::int64_t>& extents) {
    const auto axes = core::indexedAxes(Json::parse(spec), extents.size());
    if (!axes)
        return QString::fromStdString(axes.error().message);
    QStringList words;
    for (const IndexedAxis& axis : *axes) {
        if (!axis.source) {
            words << "new";
            continue;
        }
        QString word = QString::number(*axis.source);
        if (axis.index)
            word += QString("@%1").arg(*axis.index);
        if (!axis.slice.is_null()) {
            const AxisRange range = AxisRange::of(axis.slice, extents[*axis.source]);
            word += QString("[%1 %2 x%3]").arg(range.begin).arg(range.step).arg(range.count);
        }
        words << word;
    }
    return words.join(" ");
}

} // namespace

class TensorIndexingTest : public QObject {
    Q_OBJECT

private slots:
    void bracketsAreReadAsPythonReadsThem_data() {
        QTest::addColumn<QByteArray>("spec");
        QTest::addColumn<QString>("axes");
        const auto row = [](const char* name, const char* spec, const char* axes) {
            QTest::newRow(name) << QByteArray(spec) << QString(axes);
        };
        row("no brackets", "null", "0 1 2");
        row("a number", "-1", "0@-1 1 2");
        row("a new axis in front", "[null]", "new 0 1 2");
        row("a new axis behind an ellipsis", R"([{"class_name": "__ellipsis__"}, null])", "0 1 2 new");
        row("an ellipsis in the middle", R"([0, {"class_name": "__ellipsis__"}, null, 2])", "0@0 1 new 2@2");
        row("an ellipsis of nothing", R"([0, 1, {"class_name": "__ellipsis__"}, 2])", "0@0 1@1 2@2");
        row("a slice", R"([{"start": 1, "stop": null, "step": 2}])", "0[1 2 x2] 1 2");
        row("from the end", R"([{"start": -2, "stop": -1}])", "0[2 1 x1] 1 2");
        row("backwards", R"([{"start": null, "stop": null, "step": -3}])", "0[3 -3 x2] 1 2");
        row("beyond the end", R"([{"start": 2, "stop": 100}])", "0[2 1 x2] 1 2");
        row("nothing", R"([{"start": 3, "stop": 1}])", "0[3 1 x0] 1 2");
        row("as Keras 3 writes it", R"([{"class_name": "slice", "config": {"start": 1, "stop": 3}}])",
            "0[1 1 x2] 1 2");
        row("too many", "[0, 0, 0, 0]", "takes more axes than the 3 of its input");
        row("two ellipses", R"([{"class_name": "__ellipsis__"}, {"class_name": "__ellipsis__"}])",
            "has two ellipses in its brackets");
        row("a step of 0", R"([{"start": 0, "step": 0}])", "has a slice with step 0");
        row("a tensor", R"([{"class_name": "__keras_tensor__", "config": {}}])",
            "is indexed by something else than whole numbers and slices");
        row("a class that is no text", R"([{"class_name": 3}])",
            "is indexed by something else than whole numbers and slices");
    }
    void bracketsAreReadAsPythonReadsThem() {
        QFETCH(QByteArray, spec);
        QTEST(described(spec.constData(), {4, 5, 6}), "axes");
    }
};

REGISTER_TEST("tensor_indexing", TensorIndexingTest)
#include "tensor_indexing_test.moc"
