#pragma once

#include <QObject>
#include <functional>
#include <memory>
#include <string_view>

namespace tests {

using TestFactory = std::function<std::unique_ptr<QObject>()>;

/// Makes a test class known to its executable under the stem of its file ("file" for file_test.cpp).
bool registerTest(std::string_view unit, TestFactory factory, bool needsApplication);

} // namespace tests

/// Put once at the end of a test file, before its moc include:
///     REGISTER_TEST("file", FileTest)
///     #include "file_test.moc"
#define REGISTER_TEST(unit, Class)                                                                           \
    static const bool isRegistered##Class = tests::registerTest(                                             \
        unit, [] { return std::make_unique<Class>(); }, false);
/// The same for a test that needs a QApplication (views).
#define REGISTER_WIDGET_TEST(unit, Class)                                                                    \
    static const bool isRegistered##Class = tests::registerTest(                                             \
        unit, [] { return std::make_unique<Class>(); }, true);
