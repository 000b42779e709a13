import AtRestAudit
import AtRestAuditResources
import Foundation

/// Small files of each kind, and the findings in them.
enum ResourceSamples {
  /// Returns a xib with these views, whose File's Owner `LoginController` has these outlets.
  static func xib(
    outlets: [String: String] = [:], runtime: String = "iOS.CocoaTouch", _ views: String
  ) -> String {
    let connections = outlets.sorted { $0.key < $1.key }.map {
      #"<outlet property="\#($0.key)" destination="\#($0.value)" id="c-\#($0.key)"/>"#
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <document type="com.apple.InterfaceBuilder3.CocoaTouch.XIB" targetRuntime="\(runtime)">
      <objects>
      <placeholder placeholderIdentifier="IBFilesOwner" id="-1" customClass="LoginController">
      <connections>\(connections.joined())</connections>
      </placeholder>
      <view id="root"><subviews>
      \(views)
      </subviews></view>
      </objects>
      </document>
      """
  }

  /// Returns a text field with these attributes and these text input traits.
  static func field(
    _ id: String, _ attributes: String = "", traits: String = "", frame: (Int, Int) = (20, 100)
  ) -> String {
    """
    <textField id="\(id)" \(attributes)><rect key="frame" x="\(frame.0)" y="\(frame.1)" width="200" \
    height="30"/><textInputTraits key="textInputTraits" \(traits)/></textField>
    """
  }

  static func label(_ text: String, frame: (Int, Int)) -> String {
    """
    <label text="\(text)"><rect key="frame" x="\(frame.0)" y="\(frame.1)" width="200" height="20"/>\
    </label>
    """
  }

  static func plist(_ entries: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
    "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
    \(entries)
    </dict>
    </plist>
    """
  }

  static func model(_ attributes: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel">
      <entity name="Account" representedClassName="Account">
        \(attributes)
      </entity>
    </model>
    """
  }

  /// A project with an app and tests. The app compiles `App/Login.swift` and includes
  /// `App/Settings.plist` and the folder `App/Keys`. The tests include `AppTests/Fixture.plist`.
  static let project = """
    // !$*UTF8*$!
    {
      archiveVersion = 1;
      objectVersion = 56;
      objects = {
        F1 /* Login.swift */ = {isa = PBXFileReference; path = Login.swift; sourceTree = "<group>"; };
        F2 = {isa = PBXFileReference; path = Settings.plist; sourceTree = "<group>"; };
        F3 = {isa = PBXFileReference; lastKnownFileType = folder; path = Keys; sourceTree = "<group>"; };
        F4 = {isa = PBXFileReference; path = AppTests/Fixture.plist; sourceTree = SOURCE_ROOT; };
        F5 = {isa = PBXFileReference; path = App.xcconfig; sourceTree = "<group>"; };
        F6 = {isa = PBXFileReference; name = en; path = en.lproj/Main.storyboard; sourceTree = "<group>"; };
        V1 = {isa = PBXVariantGroup; children = (F6, ); name = Main.storyboard; sourceTree = "<group>"; };
        S1 = {
          isa = PBXFileSystemSynchronizedRootGroup; path = Shared; sourceTree = "<group>";
          exceptions = (X1, ); };
        X1 = {
          isa = PBXFileSystemSynchronizedBuildFileExceptionSet; membershipExceptions = (Info.plist, );
          target = T1; };
        X2 = {
          isa = PBXFileSystemSynchronizedBuildFileExceptionSet; membershipExceptions = (Other.json, );
          target = T2; };
        G1 = {isa = PBXGroup; children = (F1, F2, F3, F5, V1, ); path = App; sourceTree = "<group>"; };
        G0 = {isa = PBXGroup; children = (G1, F4, S1, ); sourceTree = "<group>"; };
        B1 = {isa = PBXBuildFile; fileRef = F1; };
        B2 = {isa = PBXBuildFile; fileRef = F2; };
        B3 = {isa = PBXBuildFile; fileRef = F3; };
        B4 = {isa = PBXBuildFile; fileRef = F4; };
        B5 = {isa = PBXBuildFile; fileRef = V1; };
        P1 = {isa = PBXSourcesBuildPhase; files = (B1, ); };
        P2 = {isa = PBXResourcesBuildPhase; files = (B2, B3, B5, ); };
        P3 = {isa = PBXResourcesBuildPhase; files = (B4, ); };
        C1 = {
          isa = XCBuildConfiguration; name = Debug; baseConfigurationReference = F5;
          buildSettings = {INFOPLIST_FILE = "$(SRCROOT)/App/Info.plist"; OTHER = ("-a", "-b", ); }; };
        C2 = {isa = XCBuildConfiguration; name = Release; buildSettings = {CODE_SIGN = yes; }; };
        L1 = {isa = XCConfigurationList; buildConfigurations = (C1, C2, ); };
        T1 = {
          isa = PBXNativeTarget; name = App; productType = "com.apple.product-type.application";
          buildPhases = (P1, P2, ); buildConfigurationList = L1;
          fileSystemSynchronizedGroups = (S1, ); };
        T2 = {
          isa = PBXNativeTarget; name = AppTests;
          productType = "com.apple.product-type.bundle.unit-test"; buildPhases = (P3, ); };
        R = {isa = PBXProject; mainGroup = G0; targets = (T1, T2, ); projectDirPath = ""; };
      };
      rootObject = R;
    }
    """

  static func resources(_ files: [String: String]) -> ProjectResources {
    ProjectResources(
      files.sorted { $0.key < $1.key }.compactMap {
        ResourceFile.read(Data($0.value.utf8), path: $0.key)
      })
  }

  /// Returns the rules of the findings in these files, one for each finding.
  static func rules(_ files: [String: String], code: InterfaceCode = InterfaceCode()) -> [String] {
    ResourceChecks().findings(in: resources(files), code: code).map(\.rule.rawValue)
  }
}
