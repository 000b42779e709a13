import AtRestSimulation
import Foundation
import Security
import Testing

/// A limit that `SECURITY.md` names: a value that was returned belongs to the caller, and nothing that happens
/// to its item reaches it.
@Suite struct ReturnedValueTests {
  @Test func aLockAndADeletionDoNotReachIt() throws {
    try onDevice { device in
      _ = add(password())
      let found = try #require(find(query([kSecReturnData: true])).result as? Data)
      device.lock()
      // Control: the item itself is locked.
      #expect(find(query([kSecReturnData: true])).status == errSecInteractionNotAllowed)
      #expect(found == Data("s3cr3t".utf8))
      try device.unlock()
      #expect(delete(query()) == errSecSuccess)
      #expect(found == Data("s3cr3t".utf8))
    }
  }
}
