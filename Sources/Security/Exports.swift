// The algorithms of keys, which `LocalAuthentication` has too.
@_exported import AtRestSecKey
// On Apple's platforms, `import Security` brings Foundation's bridged types along, and code relies on
// it.
@_exported import Foundation
