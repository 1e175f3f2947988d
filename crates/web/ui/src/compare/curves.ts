// Fitness by generation of the studies and settings that are compared.
import { api } from '../api/client';
import type { CompareAnswer, SettingCurve } from '../api/types';

type LeftOut = CompareAnswer['left_out'];

/**
 * The curves of everything named: of all settings of a study, or of one, `study/s2`; without those that are left out of the comparison.
 * Champions (`study/s2-r1`) are compared by their games.
 */
export async function curvesOf(names: string[], leftOut: LeftOut): Promise<SettingCurve[]> {
  const wanted = names.filter((name) => /^[^/]+(\/s\d+)?$/.test(name));
  const isCompared = (name: string, { setting }: SettingCurve) => !leftOut.some((left) => left.name === name && left.settings.includes(setting));
  const found = await Promise.all(
    wanted.map(async (name) => (await curvesOfOne(name, wanted.length > 1)).filter((curve) => isCompared(name, curve))),
  );
  return found.flat();
}

async function curvesOfOne(name: string, isOneOfSeveral: boolean): Promise<SettingCurve[]> {
  const [study = '', setting] = name.split('/');
  const curves = await api.curves(study, 12);
  const own = setting === undefined ? curves : curves.filter((curve) => curve.setting === Number(setting.slice(1)));
  return isOneOfSeveral ? own.map((curve) => ({ ...curve, label: `${study}: ${curve.label}` })) : own;
}
