#pragma once
namespace cub {}
