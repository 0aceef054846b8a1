import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import MeasuredChart from './MeasuredChart.vue';
import './style.css';

const theme: Theme = {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => {
    app.component('MeasuredChart', MeasuredChart);
  },
};
export default theme;
