#pragma once
#ifndef NULL
#define NULL 0
#endif
typedef long ptrdiff_t;
namespace std {
using ::ptrdiff_t;
using ::size_t;
typedef decltype(nullptr) nullptr_t;
}
