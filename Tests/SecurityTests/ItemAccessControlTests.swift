import AtRestKeychain
import Foundation
import LocalAuthentication
import Security
import Testing

@Suite struct ItemAccessControlTests {
  private let forbidden: Request = [kSecUseAuthenticationUI: kSecUseAuthenticationUIFail]
  private let skip: Request = [kSecUseAuthenticationUI: kSecUseAuthenticationUISkip]

  private func guarded(_ flags: SecAccessControlCreateFlags, _ account: String = "eva") throws
    -> Request
  {
    password(account, [kSecAttrAccessControl: try accessControl(flags)])
  }

  @Test func readingAsksWithTheReasonGiven() throws {
    try onDevice { device in
      _ = add(try guarded(.devicePasscode))
      #expect(value(query([kSecUseOperationPrompt: "Pay the invoice"])) == "s3cr3t")
      #expect(device.user.prompts == [.passcode(reason: "Pay the invoice")])
    }
  }

  @Test func whereAskingIsForbiddenInteractionIsNotAllowed() throws {
    try onDevice { device in
      _ = add(try guarded(.userPresence))
      #expect(
        find(query([kSecReturnData: true]).merging(forbidden) { $1 }).status
          == errSecInteractionNotAllowed)
      #expect(
        find(query([kSecReturnAttributes: true]).merging(forbidden) { $1 }).status
          == errSecInteractionNotAllowed)
      #expect(exists(query(forbidden)) == errSecInteractionNotAllowed)
      #expect(update(query(forbidden), [kSecAttrLabel: "x"]) == errSecInteractionNotAllowed)
      #expect(exists(query([kSecUseNoAuthenticationUI: true])) == errSecInteractionNotAllowed)
      let context = LAContext()
      context.interactionNotAllowed = true
      #expect(
        exists(query([kSecUseAuthenticationContext: context])) == errSecInteractionNotAllowed)
      #expect(device.user.prompts.isEmpty)
    }
  }

  @Test func skippingLeavesItOutOfAList() throws {
    try onDevice { _ in
      _ = add(try guarded(.userPresence, "a"))
      _ = add(password("b"))
      let all: Request = [
        kSecClass: kSecClassGenericPassword, kSecReturnAttributes: true,
        kSecMatchLimit: kSecMatchLimitAll,
      ]
      let found = find(all.merging(skip) { $1 }).result as? [[String: Any]]
      #expect(found?.compactMap { $0["acct"] as? String } == ["b"])
      #expect(exists(query("a", skip)) == errSecItemNotFound)
    }
  }

  @Test func anItemThatIsSkippedIsNotFoundByItsKeyOrReference() throws {
    try onDevice { device in
      _ = add(try guarded(.userPresence))
      let reference = find(query([kSecReturnPersistentRef: true])).result as Any
      device.user.forgetPrompts()
      let byReference: Request = [kSecValuePersistentRef: reference]
      for one in [query(), byReference] {
        for returned in [nil, kSecReturnData, kSecReturnAttributes, kSecReturnPersistentRef] {
          var request = one.merging(skip) { $1 }
          if let returned { request[returned] = true }
          #expect(find(request).status == errSecItemNotFound)
          request[kSecUseAuthenticationUI] = kSecUseAuthenticationUIFail
          #expect(find(request).status == errSecInteractionNotAllowed)
        }
      }
      #expect(device.user.prompts.isEmpty)
      // A lock is not skipped.
      device.lock()
      #expect(exists(query(skip)) == errSecInteractionNotAllowed)
    }
  }

  @Test func aCancelledPromptAndAFailedOneAreTold() throws {
    try onDevice { device in
      _ = add(try guarded(.devicePasscode))
      device.user.will(.cancel)
      #expect(find(query([kSecReturnData: true])).status == errSecUserCanceled)
      device.user.will(.fail)
      #expect(find(query([kSecReturnData: true])).status == errSecAuthFailed)
      device.user.will(.comply)
      #expect(value(query()) == "s3cr3t")
    }
  }

  @Test func oneContextAsksOnce() throws {
    try onDevice { device in
      _ = add(try guarded(.devicePasscode, "a"))
      _ = add(try guarded(.devicePasscode, "b"))
      let context: Request = [kSecUseAuthenticationContext: LAContext()]
      #expect(value(query("a", context)) == "s3cr3t")
      #expect(value(query("b", context)) == "s3cr3t")
      #expect(device.user.prompts.count == 1)
      #expect(value(query("b")) == "s3cr3t")
      #expect(device.user.prompts.count == 2)
    }
  }

  @Test func anApplicationPasswordComesFromTheContext() throws {
    try onDevice { _ in
      func context(_ password: String) -> Request {
        let context = LAContext()
        _ = context.setCredential(Data(password.utf8), type: .applicationPassword)
        return [kSecUseAuthenticationContext: context]
      }
      let item = try guarded(.applicationPassword)
      #expect(add(item.merging(context("right")) { $1 }) == errSecSuccess)
      #expect(value(query(context("right"))) == "s3cr3t")
      #expect(
        find(query(context("wrong")).merging([kSecReturnData: true]) { $1 }).status
          == errSecAuthFailed)
      #expect(exists(query(forbidden)) == errSecInteractionNotAllowed)
      #expect(
        find(query([kSecReturnAttributes: true]).merging(forbidden) { $1 }).status
          == errSecInteractionNotAllowed)
    }
  }

  @Test func aNewEnrolmentClosesTheCurrentSetAlone() throws {
    try onDevice { device in
      device.enrolBiometry()
      _ = add(try guarded(.biometryAny, "any"))
      _ = add(try guarded(.biometryCurrentSet, "current"))
      #expect(value(query("current")) == "s3cr3t")
      device.enrolBiometry()
      #expect(value(query("any")) == "s3cr3t")
      #expect(find(query("current", [kSecReturnData: true])).status == errSecAuthFailed)
    }
  }

  @Test func aContextMustBeOne() throws {
    try onDevice { _ in
      #expect(exists(query([kSecUseAuthenticationContext: "context"])) == errSecParam)
    }
  }
}
