// Each source includes this first. libfmt has the one large template compiled already, but
// <fmt/format.h> does not say so: without this line each unit compiles it again, with all it calls,
// which was a sixth of all code that the compiler made.
#pragma once
#ifndef TROUPE_ALONE // a file that is tried alone gets no include that it does not ask for
#include <fmt/core.h>

#if FMT_VERSION / 10000 == 9 && !defined(__clang__) // clang gives it another name
FMT_BEGIN_NAMESPACE
namespace detail {
extern template void vformat_to<char>(buffer<char>&, basic_string_view<char>,
                                      basic_format_args<FMT_BUFFER_CONTEXT(char)>, locale_ref);
}
FMT_END_NAMESPACE
#endif
#endif
