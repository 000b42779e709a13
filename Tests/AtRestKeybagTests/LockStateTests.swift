import AtRestCrypto
import AtRestKeybag
import Foundation
import Testing

@Suite struct LockStateTests {}
