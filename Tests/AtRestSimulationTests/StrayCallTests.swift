import AtRestKeychain
import AtRestSimulation
import Foundation
import LocalAuthentication
import Security
import Testing

/// Tests calls on threads that do not belong to the task of a device. Each test runs in a process of its
/// own.
@Suite struct StrayCallTests {
  @Test func aCallOnAQueueIsCountedOnTheDeviceThatRuns() async {
    await #expect(processExitsWith: .success) {
      let device = try SimulatedDevice()
      let query = Query(account: "eva")
      device.run {
        #expect(SecItemAdd(query.dictionary, nil) == errSecSuccess)
        #expect(device.strayCalls.isEmpty)
        onQueue { #expect(SecItemCopyMatching(query.dictionary, nil) == errSecItemNotFound) }
        #expect(device.strayCalls.map(\.function) == ["SecItemCopyMatching"])
      }
      #expect(device.calls.map(\.function) == ["SecItemAdd"])
      // Negative control: a call while no device runs an application.
      onQueue { _ = SecItemCopyMatching(query.dictionary, nil) }
      #expect(device.strayCalls.count == 1)
      device.forgetCalls()
      #expect(device.strayCalls.isEmpty)
    }
  }

  @Test func aContextLeadsToItsDevice() async {
    await #expect(processExitsWith: .success) {
      let device = try SimulatedDevice(passcode: "1234")
      let other = try SimulatedDevice(passcode: "1234")
      device.run {
        let query = Query(account: "eva", context: LAContext())
        onQueue {
          #expect(SecItemAdd(query.dictionary, nil) == errSecSuccess)
          #expect(SecItemCopyMatching(query.dictionary, nil) == errSecSuccess)
          // A context on the queue itself belongs to no device.
          let stray = Query(account: "eva", context: LAContext())
          #expect(SecItemCopyMatching(stray.dictionary, nil) == errSecItemNotFound)
        }
        #expect(device.calls.count == 2 && device.strayCalls.count == 1)
        // The task's own device takes precedence.
        other.run {
          #expect(SecItemCopyMatching(query.dictionary, nil) == errSecItemNotFound)
        }
        onQueue {
          #expect(SecItemDelete(query.dictionary) == errSecSuccess)
        }
      }
      #expect(other.calls.count == 1)
    }
  }

  @Test func aContextOfAnEarlierDeviceIsCounted() async {
    await #expect(processExitsWith: .success) {
      let earlier = try SimulatedDevice(passcode: "1234")
      let device = try SimulatedDevice(passcode: "1234")
      let query = earlier.run { Query(account: "eva", context: LAContext()) }
      device.run {
        onQueue { #expect(SecItemCopyMatching(query.dictionary, nil) == errSecItemNotFound) }
        #expect(device.strayCalls.count == 1 && earlier.calls.count == 1)
        // Negative control: the device of the context runs an application too.
        earlier.run {
          onQueue { #expect(SecItemCopyMatching(query.dictionary, nil) == errSecItemNotFound) }
        }
      }
      #expect(device.strayCalls.count == 1 && earlier.strayCalls.isEmpty)
    }
  }

  @Test func aDeviceThatAnEarlierTestChoseForTheProcessIsFoundOut() async {
    await #expect(processExitsWith: .success) {
      let earlier = try SimulatedDevice()
      let device = try SimulatedDevice()
      earlier.useForProcess()
      onQueue { _ = SecItemCopyMatching(Query(account: "eva").dictionary, nil) }
      device.run {
        onQueue { _ = SecItemCopyMatching(Query(account: "eva").dictionary, nil) }
      }
      // Negative control: the first call came while no device ran an application.
      #expect(earlier.calls.count == 2 && device.strayCalls.count == 1)
    }
  }

  @Test func everyCallThatNeedsADeviceIsCounted() async {
    await #expect(processExitsWith: .success) {
      let device = try SimulatedDevice(passcode: "1234")
      device.user.will(.cancel)
      try await device.run {
        try await Task.detached {
          let context = LAContext()
          _ = context.canEvaluatePolicy(.deviceOwnerAuthentication, error: nil)
          _ = try? await context.evaluatePolicy(
            .deviceOwnerAuthentication, localizedReason: "Show")
          _ = try? await LARightStore.shared.right(forIdentifier: "a")
          _ = try DefaultKeychain.get()
        }.value
      }
      #expect(
        device.strayCalls.map(\.function) == [
          "LAContext.canEvaluatePolicy", "LAContext.evaluatePolicy", "LARightStore.right",
          "DefaultKeychain.get",
        ])
    }
  }

  @Test func onlyCallsOfKeychainServicesAreCallsOfTheDeviceThatWasUsed() async {
    await #expect(processExitsWith: .success) {
      let earlier = try SimulatedDevice()
      let device = try SimulatedDevice()
      earlier.useForProcess()
      device.run {
        onQueue {
          _ = LAContext().canEvaluatePolicy(.deviceOwnerAuthentication, error: nil)
          _ = try? DefaultKeychain.get()
        }
      }
      #expect(earlier.calls.isEmpty && device.calls.isEmpty)
      #expect(device.strayCalls.map(\.function).contains("DefaultKeychain.get"))
    }
  }

  @Test func aKeychainThatWasSetIsMeant() async {
    await #expect(processExitsWith: .success) {
      let device = try SimulatedDevice()
      DefaultKeychain.set(try SimulatedDevice().keychain())
      device.run {
        onQueue { _ = SecItemCopyMatching(Query(account: "eva").dictionary, nil) }
      }
      #expect(device.strayCalls.isEmpty)
      // Control: without the keychain, the call is stray.
      DefaultKeychain.set(nil)
      device.run {
        onQueue { _ = SecItemCopyMatching(Query(account: "eva").dictionary, nil) }
      }
      #expect(device.strayCalls.count == 1)
    }
  }

  @Test func withADeviceForTheProcessNoCallStrays() async {
    await #expect(processExitsWith: .success) {
      let device = try SimulatedDevice()
      device.useForProcess()
      device.run {
        onQueue { _ = SecItemCopyMatching(Query(account: "eva").dictionary, nil) }
      }
      #expect(device.calls.count == 1 && device.strayCalls.isEmpty)
    }
  }
}

private struct Query: @unchecked Sendable {
  let dictionary: CFDictionary

  init(account: String, context: LAContext? = nil) {
    var query: [String: Any] = [
      kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: account,
    ]
    if let context { query[kSecUseAuthenticationContext as String] = context }
    dictionary = query as CFDictionary
  }
}

private func onQueue(_ body: @escaping @Sendable () -> Void) {
  let work = DispatchWorkItem(block: body)
  DispatchQueue(label: "test").async(execute: work)
  work.wait()
}
