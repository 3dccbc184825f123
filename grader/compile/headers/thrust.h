#pragma once
namespace thrust {
namespace placeholders {}
}
