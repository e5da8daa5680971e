// The names of NumPy: functions of numbers are computed, arrays are data.
#include "core/interchange/python/apis/api_catalogue.h"
#include "core/interchange/python/apis/calls/number_functions.h"

namespace core {

const PythonApiTable& numpyApi() {
    static const PythonApiTable api{{{"numpy", "np"}}, {"np"}, [] {
                                        std::vector<PythonApiName> names = numberFunctions("np.");
                                        names.push_back(hostName("np.**"));
                                        return names;
                                    }()};
    return api;
}

} // namespace core
