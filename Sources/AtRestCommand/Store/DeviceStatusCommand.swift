import ArgumentParser
import AtRestCrypto
import AtRestKeybag

struct DeviceStatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show where the device key is, and the state of the TPM.",
    discussion: "Nothing is created. The TPM's answers about itself are not authenticated.")

  @OptionGroup var store: StoreOptions

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let report = try DeviceReport(store)
    if json { try Output.writeJSON(report) } else { Output.write(report.text) }
    if let refusal = report.refusal { throw refusal }
  }
}

/// The output of `atrest device status`, in the form of its JSON.
struct DeviceReport: Encodable {
  let folder: String
  let root: DeviceRoot?
  let pcrs: [Int]?
  let counter: UInt64?
  /// The stores that the device remembers.
  let stores: [RememberedStore]
  let tpm: TPMDescription?
  let unavailable: String?
  let risks: [StoreRisk]
  /// The reason why the device key does not open.
  let refusal: AtRestError?

  private enum CodingKeys: String, CodingKey {
    case folder, root, pcrs, counter, stores, tpm, unavailable, risks
  }

  init(_ options: StoreOptions) throws {
    folder = options.deviceFolder.path
    root = try DeviceRoot.present(in: options.deviceFolder)
    let description = Result { try TPMDescription() }
    tpm = try? description.get()
    unavailable =
      switch description {
      case .success: nil
      case .failure(let error): (error as? AtRestError)?.message ?? "\(error)"
      }
    var device: (any DeviceKeyProvider)?
    var refusal: AtRestError?
    if root == .tpm, case .failure(let error as AtRestError) = description, error.code == .busy {
      // A TPM that does not answer is not asked, and waited for, once more.
      refusal = error
    } else if root != nil {
      do {
        device = try DeviceRoot.open(in: options.deviceFolder)
      } catch let error as AtRestError {
        refusal = error
      }
    }
    if root == nil {
      do {
        _ = try options.openKeybag()
      } catch let error as AtRestError where error.code == .deviceMissing {
        refusal = error
      } catch {}
    }
    self.refusal = refusal
    // Without its key, the device does not say which records are of stores that were wiped.
    stores = device == nil ? [] : try DeviceRoot.stores(in: options.deviceFolder)
    risks = device?.risks ?? DeviceRoot.leftoverRisks(in: options.deviceFolder)
    pcrs = (device as? TPMDeviceKey)?.pcrs
    counter = try? (device as? TPMDeviceKey)?.counterValue()
  }

  /// The report as text.
  var text: String {
    let place =
      switch root {
      case .tpm: "in the TPM" + (counter.map { ", counter at \($0)" } ?? "")
      case .file: "in a file"
      case nil: refusal == nil ? "none yet" : "missing"
      }
    var lines = ["Device key: \(place)", "Folder:     \(folder)"]
    if let pcrs, !pcrs.isEmpty {
      lines.append("PCRs:       \(pcrs.map(String.init).joined(separator: ", "))")
    }
    if root == .tpm {
      lines.append("Trust:      on first use: it is the TPM that answered when the key was made")
    }
    for store in stores { lines.append("Store:      \(store.text)") }
    if let tpm {
      lines.append("TPM:        \(tpm.manufacturer) \(tpm.vendor), firmware \(tpm.firmware)")
      // A power cut after a protected value was used is counted like a wrong one.
      lines.append(
        "Attempts:   the TPM counts \(tpm.wrongAttempts) of \(tpm.maximumWrongAttempts) wrong passcodes, "
          + "of all programs, or power cuts after an unlock; one is forgiven every "
          + "\(tpm.secondsPerAttempt) s")
      if tpm.isLockedOut {
        lines.append("Locked out: for at most \(tpm.secondsUntilAttempt) s")
      }
    } else if let unavailable {
      lines.append("TPM:        \(unavailable)")
    }
    for risk in risks { lines += ["Risk:       \(risk.message)", "            \(risk.remedy)"] }
    return lines.map { Output.printable($0) + "\n" }.joined()
  }
}
