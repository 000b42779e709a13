import AtRestAuditAnalysis
import AtRestAuditModel

/// Checks of what the app's own camera and microphone record into files.
enum CapturedMedia {
  static func add(to set: inout CheckSet) {
    set.onCall(["write", "writeToFile", "writeToURL"]) { call, scope, pass in
      guard let photo = call.receiver,
        let place = call["to"] ?? call["toFile"] ?? (call.name == "write" ? nil : call[0]),
        pass.inspector.isMade(photo, by: photos, in: scope),
        !pass.inspector.isProtected(photo, in: scope)
      else { return }
      captured("a photo", to: place, by: call, scope, pass)
    }
    set.onCall(["AVAudioRecorder", "initWithURL"]) { call, scope, pass in
      guard let place = call["url"] ?? call[0],
        pass.inspector.type(of: call.expression, in: scope).map(TypeName.plain)
          == "AVAudioRecorder"
      else { return }
      captured("a recording", to: place, by: call, scope, pass)
    }
    set.onCall(["startRecording", "startRecordingToOutputFileURL"]) { call, scope, pass in
      guard let place = call["to"] ?? call[0], call["recordingDelegate"] != nil else { return }
      captured("a video", to: place, by: call, scope, pass)
    }
  }

  /// Functions that return the file of a photo which the camera took.
  private static let photos: Set<String> = [
    "fileDataRepresentation", "jpegStillImageNSDataRepresentation",
  ]

  private static func captured(
    _ what: String, to place: Expression, by call: Scope.Call, _ scope: Scope, _ pass: Pass
  ) {
    // A recorder that only measures how loud it is writes to `/dev/null`.
    guard FileChecks.fileName(place, scope, pass) != "null",
      !FileChecks.isComplete(call, scope, pass), !FileChecks.removes(place, scope)
    else { return }
    pass.report(
      .unprotectedFile, at: call.expression, in: scope, severity: .low,
      "\(what) by the app's own camera or microphone is written without complete file protection")
  }
}
