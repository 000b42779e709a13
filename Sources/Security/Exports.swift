// On Apple's platforms, `import Security` brings Foundation's bridged types along, and code relies on
// it.
@_exported import Foundation
