#include "core/config/keras_catalogue.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>

using core::Json;

namespace {

core::KerasObject read(const char* text, const core::KerasCatalogue& catalogue) {
    core::Diagnostics findings;
    return core::readKerasObject(Json::parse(text), catalogue, "p", "/x", findings)
        .value_or(core::KerasObject{findings.empty() ? "" : core::toText(findings.front()), {}});
}

} // namespace

class KerasCatalogueTest : public QObject {
    Q_OBJECT

private slots:
    void readsBareTextsAsKerasDoes() {
        QCOMPARE(read("\"sgd\"", core::optimizerCatalogue()).className, std::string("SGD"));
        QCOMPARE(read("\"rmsprop\"", core::optimizerCatalogue()).className, std::string("RMSprop"));
        QCOMPARE(read("\"Adam\"", core::optimizerCatalogue()).className, std::string("Adam"));
        QCOMPARE(read("\"mse\"", core::lossCatalogue()).className, std::string("MeanSquaredError"));
        QCOMPARE(read("\"sparse_categorical_crossentropy\"", core::lossCatalogue()).className,
                 std::string("SparseCategoricalCrossentropy"));
        QCOMPARE(read("\"kullback_leibler_divergence\"", core::lossCatalogue()).className,
                 std::string("KLDivergence"));
        QCOMPARE(read("\"accuracy\"", core::metricCatalogue()).className, std::string("accuracy"));
        QCOMPARE(read("\"Accuracy\"", core::metricCatalogue()).className, std::string("Accuracy"));
    }

    void reportsMetricsUnderTheTextThatNamedThem() {
        QCOMPARE(core::reportedName(read("\"acc\"", core::metricCatalogue())), std::string("acc"));
        QCOMPARE(core::reportedName(read("\"mse\"", core::metricCatalogue())), std::string("mse"));
        QCOMPARE(core::reportedName(read("\"MeanSquaredError\"", core::metricCatalogue())),
                 std::string("mean_squared_error"));
        QCOMPARE(core::reportedName(read("\"sparse_top_k_categorical_accuracy\"", core::metricCatalogue())),
                 std::string("sparse_top_k_categorical_accuracy"));
    }

    void writesWhatItReads() {
        for (const char* text : {R"("acc")", R"("accuracy")", R"("MeanSquaredError")", R"("mse")",
                                 R"({"class_name":"BinaryAccuracy","config":{"threshold":0.25}})"}) {
            const auto object = read(text, core::metricCatalogue());
            QCOMPARE(core::toText(core::toJson(object, core::metricCatalogue()), -1), std::string(text));
        }
        QCOMPARE(
            core::toText(
                core::toJson(read(R"("sgd")", core::optimizerCatalogue()), core::optimizerCatalogue()), -1),
            std::string("\"SGD\""));
    }

    void fillsInKerasDefaults() {
        const Json sgd = core::resolvedConfig(
            read(R"({"class_name":"SGD","config":{"lr":0.1}})", core::optimizerCatalogue()),
            core::optimizerCatalogue());
        QCOMPARE(sgd["learning_rate"].get<double>(), 0.1);
        QCOMPARE(sgd["momentum"].get<double>(), 0.0);
        QCOMPARE(sgd["nesterov"].get<bool>(), false);
        const Json adam = core::resolvedConfig({"Adam", Json::object()}, core::optimizerCatalogue());
        QCOMPARE(adam["beta_2"].get<double>(), 0.999);
        QCOMPARE(adam["epsilon"].get<double>(), 1e-7);
    }

    void parsesEveryDefaultAsJson() {
        for (const auto* catalogue : {&core::optimizerCatalogue(), &core::lossCatalogue(),
                                      &core::metricCatalogue(), &core::learningRateScheduleCatalogue()}) {
            for (const core::KerasClass& type : catalogue->classes)
                QVERIFY(core::resolvedConfig({std::string(type.className), Json::object()}, *catalogue)
                            .is_object());
        }
    }

    void readsALearningRateSchedule() {
        const char* good = R"({"class_name":"SGD","config":{"learning_rate":
            {"class_name":"CosineDecay","config":{"initial_learning_rate":0.1,"decay_steps":100}}}})";
        QCOMPARE(read(good, core::optimizerCatalogue()).className, std::string("SGD"));
        const char* bad =
            R"({"class_name":"SGD","config":{"learning_rate":{"class_name":"CosineDecay","config":{}}}})";
        QVERIFY(read(bad, core::optimizerCatalogue()).className.find("initial_learning_rate") !=
                std::string::npos);
    }

    void refusesWhatKerasDoesNotKnow_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("message");
        const auto row = [](const char* text, const char* message) {
            QTest::newRow(text) << QByteArray(text) << QByteArray(message);
        };
        row(R"("sdg")", "hint: did you mean \"SGD\"?");
        row(R"(3)", "expected an optimizer");
        row(R"({"class_name":"SGD","config":{"momentun":0.9}})", "hint: did you mean \"momentum\"?");
        row(R"({"class_name":"SGD","config":{"momentum":"0.9"}})", "must be a number");
        row(R"({"class_name":"SGD","config":{"momentum":2}})", "allowed are 0 to 1");
        row(R"({"class_name":"SGD","config":[]})", "must be an object");
        row(R"({"config":{}})", "needs its \"class_name\"");
        row(R"({"class_name":"SGD","momentum":0.9})", "unknown key \"momentum\"");
    }

    void refusesWhatKerasDoesNotKnow() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, message);
        const std::string found = read(text.constData(), core::optimizerCatalogue()).className;
        QVERIFY2(found.find(message.toStdString()) != std::string::npos, found.c_str());
    }
};

REGISTER_TEST("keras_catalogue", KerasCatalogueTest)
#include "keras_catalogue_test.moc"
