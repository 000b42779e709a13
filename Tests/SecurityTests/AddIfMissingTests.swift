import AtRestSimulation
import Foundation
import Security
import Testing

/// Tests code that searches for an item first, and adds or updates it depending on the result.
@Suite struct AddIfMissingTests {
  /// Returns the status of the search, and the status of the addition if nothing was found.
  private func addIfMissing(_ text: String) -> (OSStatus, OSStatus?) {
    let service = query("eva", service: "letters")
    let found = find(
      service.merging([
        kSecReturnAttributes: kCFBooleanTrue as Any, kSecMatchLimit: kSecMatchLimitOne,
      ]) { $1 })
    guard found.status == errSecItemNotFound else { return (found.status, nil) }
    return (
      found.status,
      add(
        password("eva", service: "letters", value: text, [kSecAttrGeneric: "group 1"]))
    )
  }

  @Test func whatIsThereStays() throws {
    try onDevice { _ in
      #expect(addIfMissing("first") == (errSecItemNotFound, errSecSuccess))
      #expect(addIfMissing("second") == (errSecSuccess, nil))
      #expect(value(query("eva", service: "letters")) == "first")
    }
  }

  @Test func whatIsLockedIsNotMissing() throws {
    try onDevice { device in
      _ = addIfMissing("first")
      device.lock()
      #expect(addIfMissing("second") == (errSecInteractionNotAllowed, nil))
      try device.unlock()
      #expect(value(query("eva", service: "letters")) == "first")
    }
  }

  @Test func anItemIsChangedWhereItsGenericAttributeMatches() throws {
    try onDevice { _ in
      _ = addIfMissing("first")
      func change(_ generic: String) -> OSStatus {
        let item: Request = [
          kSecClass: kSecClassGenericPassword, kSecAttrGeneric: generic, kSecAttrAccount: "eva",
        ]
        let found = exists(item)
        return found == errSecSuccess ? update(item, [kSecValueData: Data("new".utf8)]) : found
      }
      #expect(change("group 2") == errSecItemNotFound)
      #expect(value(query("eva", service: "letters")) == "first")
      #expect(change("group 1") == errSecSuccess)
      #expect(value(query("eva", service: "letters")) == "new")
    }
  }

  @Test func aValueInAQueryMustBeDataAndDecidesNothing() throws {
    try onDevice { _ in
      _ = addIfMissing("first")
      #expect(exists(query("eva", [kSecAttrService: "letters", kSecValueData: "first"])) == -50)
      #expect(exists(query("eva", [kSecAttrService: "letters", kSecValueData: Data([1])])) == 0)
    }
  }

  /// Applications call from other threads than the main thread, because the calls may block.
  @Test func theCallsWorkOnConcurrentQueues() async {
    await #expect(processExitsWith: .success) {
      let device = try SimulatedDevice()
      device.useForProcess()
      let queue = DispatchQueue(label: "letters", attributes: .concurrent)
      func onQueue(_ call: @escaping @Sendable () -> OSStatus) async -> OSStatus {
        await withCheckedContinuation { continuation in
          queue.async { continuation.resume(returning: call()) }
        }
      }
      #expect(await onQueue { add(password()) } == errSecSuccess)
      #expect(await onQueue { exists(query()) } == errSecSuccess)
      #expect(
        await onQueue { update(query(), [kSecValueData: Data("new".utf8)]) } == errSecSuccess)
      let read = await withCheckedContinuation { continuation in
        queue.async { continuation.resume(returning: value(query())) }
      }
      #expect(read == "new")
      #expect(await onQueue { delete(query()) } == errSecSuccess)
      #expect(await onQueue { delete(query()) } == errSecItemNotFound)
    }
  }
}
