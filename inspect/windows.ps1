# Measures this laptop for its listing.
#
#   .\windows.ps1 SHOP CODE          shows the report, asks, and sends it
#   .\windows.ps1 SHOP CODE -File    writes the report to a file, for a laptop without a network
#
# SHOP is the shop's address and CODE the one-time code of its page. The script installs nothing and changes nothing. It
# only copies what Windows reports about the machine; the shop reads it. Run it as administrator: otherwise Windows hides
# the wear of the drives, which the shop then shows as unknown.
#
# The report is text: a line "== NAME" begins a section, and each line of its content is indented by a tab.
param(
  [Parameter(Mandatory)][string]$Shop,
  [Parameter(Mandatory)][string]$Code,
  [switch]$File
)
$ErrorActionPreference = 'SilentlyContinue'

# Writes a section with the lines of a command's output.
function Section([string]$Name, [scriptblock]$Command) {
  "== $Name"
  & $Command | Out-String -Stream -Width 32000 | ForEach-Object { "`t$_" }
}

# Writes a section with the given properties of each object, as JSON.
function Objects([string]$Name, [scriptblock]$Command, [string[]]$Properties) {
  Section $Name { ConvertTo-Json -Compress @(& $Command | Select-Object -Property $Properties) }
}

function Get-Report {
  'coomercio-report 1'
  "code $Code"
  'system windows'
  Objects 'product' { Get-CimInstance Win32_ComputerSystemProduct } Vendor, Name, Version, IdentifyingNumber
  Objects 'board' { Get-CimInstance Win32_BaseBoard } Manufacturer, Product, SerialNumber
  Objects 'firmware' { Get-CimInstance Win32_BIOS } Manufacturer, SMBIOSBIOSVersion, SerialNumber
  Section 'firmware-date' { (Get-CimInstance Win32_BIOS).ReleaseDate.ToString('yyyy-MM-dd') }
  Objects 'processor' { Get-CimInstance Win32_Processor } Name, NumberOfCores
  Objects 'memory' { Get-CimInstance Win32_PhysicalMemory } Capacity, ConfiguredClockSpeed, SMBIOSMemoryType
  Objects 'graphics' { Get-CimInstance Win32_VideoController } Name
  Objects 'drives' { Get-PhysicalDisk } DeviceId, FriendlyName, MediaType, BusType, Size, SerialNumber, HealthStatus
  Objects 'drive-wear' { Get-PhysicalDisk | Get-StorageReliabilityCounter } DeviceId, Wear, PowerOnHours, ReadErrorsUncorrected
  Objects 'screen-connection' { Get-CimInstance -Namespace root/WMI WmiMonitorConnectionParams } InstanceName, VideoOutputTechnology
  Section 'edids' {
    Get-ItemProperty 'HKLM:\SYSTEM\CurrentControlSet\Enum\DISPLAY\*\*\Device Parameters' -Name EDID | ForEach-Object {
      $_.PSPath
      ($_.EDID | ForEach-Object { $_.ToString('x2') }) -join ' '
    }
  }
  Objects 'battery-design' { Get-CimInstance -Namespace root/WMI BatteryStaticData } DesignedCapacity, ManufactureName, DeviceName
  Objects 'battery-full' { Get-CimInstance -Namespace root/WMI BatteryFullChargedCapacity } FullChargedCapacity
  Objects 'battery-cycles' { Get-CimInstance -Namespace root/WMI BatteryCycleCount } CycleCount
  Objects 'system' { Get-CimInstance Win32_OperatingSystem } Caption, Version
  Objects 'lenovo-passwords' { Get-CimInstance -Namespace root/WMI Lenovo_BiosPasswordSettings } PasswordState
  Section 'join-state' { dsregcmd /status | Select-String 'AzureAdJoined|DomainJoined|EnterpriseJoined' }
  Objects 'autopilot' { Get-ItemProperty 'HKLM:\SOFTWARE\Microsoft\Provisioning\Diagnostics\Autopilot' } CloudAssignedTenantDomain, IsAutopilotDisabled
  # Shows that the report is complete.
  '== end'
}

$report = (Get-Report) -join "`n"

if ($File) {
  [IO.File]::WriteAllText("$PWD\coomercio-report.txt", $report)
  'Written to coomercio-report.txt. Upload this file on the page that showed you the code.'
  exit 0
}

'This will be sent:'
''
$report
''
$answer = Read-Host "Send these $($report.Length) characters to ${Shop}? [y/N]"
if ($answer -notmatch '^(y|yes)$') {
  'Nothing was sent.'
  exit 0
}

try {
  $body = [Text.Encoding]::UTF8.GetBytes($report)
  Invoke-RestMethod -Method Post -Uri "$Shop/measurements" -ContentType 'text/plain' -Body $body -TimeoutSec 60 -ErrorAction Stop
} catch {
  [IO.File]::WriteAllText("$PWD\coomercio-report.txt", $report)
  "The shop did not accept the report: $($_.ErrorDetails.Message)"
  'It is in coomercio-report.txt; you can upload it on the page with the code.'
  exit 1
}
