import AtRestCrypto
import AtRestKeychain
import AtRestSimulation
import Dispatch
import Foundation
import Security
import Synchronization
import Testing

/// Tests the use of a device for the process until a closure ends. Each test runs in a process of its
/// own.
@Suite struct ScopedUseTests {
  @Test func tasksNeverSeeEachOthersItems() async {
    await #expect(processExitsWith: .success) {
      for _ in 0..<20 {
        try await withThrowingTaskGroup(of: Void.self) { group in
          for account in ["eva", "tom"] {
            group.addTask {
              let device = try SimulatedDevice()
              try await device.useForProcess {
                #expect(await onQueue { count() } == 0)
                #expect(await onQueue { add(account) } == errSecSuccess)
                await Task.yield()
                #expect(await onQueue { count() } == 1)
                // The task itself uses the device too.
                #expect(count() == 1)
              }
              #expect(device.calls.count == 4)
              #expect(device.strayCalls.isEmpty)
            }
          }
          try await group.waitForAll()
        }
      }
      #expect(DefaultKeychain.source == nil)
    }
  }

  @Test func anInnerUseReplacesAndRestores() async {
    await #expect(processExitsWith: .success) {
      let outer = try SimulatedDevice()
      let inner = try SimulatedDevice()
      let result = try await outer.useForProcess {
        #expect(await onQueue { add("eva") } == errSecSuccess)
        try await inner.useForProcess {
          #expect(await onQueue { count() } == 0)
          // The use of one device inside its own does not wait for itself either.
          try await inner.useForProcess {
            #expect(await onQueue { count() } == 0)
          }
        }
        // A task's own device does not hide that the task is inside the use.
        try await inner.run {
          try await inner.useForProcess { #expect(count() == 0) }
        }
        #expect(await onQueue { count() } == 1)
        return 7
      }
      #expect(result == 7)
      #expect(outer.calls.count == 2 && inner.calls.count == 3)
      #expect(DefaultKeychain.source == nil)
    }
  }

  @Test func innerUsesOfTwoChildTasksTakeTurns() async {
    await #expect(processExitsWith: .success) {
      try await SimulatedDevice().useForProcess {
        try await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 0..<8 {
            group.addTask {
              try await SimulatedDevice().useForProcess {
                #expect(await onQueue { add("eva") } == errSecSuccess)
                await Task.yield()
                #expect(await onQueue { count() } == 1)
              }
            }
          }
          try await group.waitForAll()
        }
        #expect(await onQueue { count() } == 0)
      }
    }
  }

  @Test func aCanceledTaskDoesNotWait() async {
    await #expect(processExitsWith: .success) {
      let device = try SimulatedDevice()
      let waiting = try SimulatedDevice()
      let last = try SimulatedDevice()
      let next = try await device.useForProcess {
        let canceled = Task.detached {
          try await waiting.useForProcess { Issue.record("A canceled task ran.") }
        }
        try await Task.sleep(for: .milliseconds(50))
        let next = Task.detached {
          try await last.useForProcess { order.withLock { $0.append("last") } }
        }
        try await Task.sleep(for: .milliseconds(50))
        canceled.cancel()
        await #expect(throws: CancellationError.self) { try await canceled.value }
        order.withLock { $0.append("first") }
        return next
      }
      // The turn of the canceled task is not lost.
      try await next.value
      #expect(order.withLock { $0 } == ["first", "last"])
      #expect(waiting.calls.isEmpty)
    }
  }

  @Test func theFormerChoiceReturnsAlsoAfterAnError() async {
    await #expect(processExitsWith: .success) {
      let former = try SimulatedDevice()
      let device = try SimulatedDevice()
      former.useForProcess()
      await #expect(throws: Failure.self) {
        try await device.useForProcess {
          #expect(await onQueue { add("eva") } == errSecSuccess)
          throw Failure()
        }
      }
      #expect(await onQueue { count() } == 0)
      #expect(former.calls.count == 1 && device.calls.count == 1)
      // A choice inside the closure applies after it.
      try await device.useForProcess {
        DefaultKeychain.set(nil)
        #expect(await onQueue { count() } == 1)
      }
      #expect(DefaultKeychain.source == nil)
      // Control: the next use does not wait.
      try await former.useForProcess { #expect(count() == 0) }
    }
  }
}

/// What ran in the process of a test, in order.
private let order = Mutex<[String]>([])

private struct Failure: Error {}

private func add(_ account: String) -> OSStatus {
  let item: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: account]
  return SecItemAdd(item as CFDictionary, nil)
}

/// Returns the number of passwords that a call finds.
private func count() -> Int {
  let query: [CFString: Any] = [
    kSecClass: kSecClassGenericPassword, kSecMatchLimit: kSecMatchLimitAll,
    kSecReturnAttributes: true,
  ]
  var found: CFTypeRef?
  guard SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess else { return 0 }
  return (found as? [[String: Any]])?.count ?? -1
}

private func onQueue<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
  await withCheckedContinuation { continuation in
    DispatchQueue(label: "test").async { continuation.resume(returning: body()) }
  }
}
